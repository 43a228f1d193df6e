; BV width 32: a masked register only ever has its low byte set.
; engines: kinduction
(set-logic HORN)
(declare-fun r ((_ BitVec 32)) Bool)
(assert (r (_ bv7 32)))
(assert (forall ((x (_ BitVec 32)) (k (_ BitVec 32)))
  (=> (r x) (r (bvand (bvor (bvshl x (_ bv3 32)) k) #x000000ff)))))
(assert (forall ((x (_ BitVec 32))) (=> (and (r x) (not (= ((_ extract 31 8) x) #x000000))) false)))
(check-sat)
