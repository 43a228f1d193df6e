; BV width 64: an address that moves in steps of a page stays aligned.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 64)) Bool)
(assert (p #x00007fffffffe000))
(assert (forall ((x (_ BitVec 64)) (k (_ BitVec 64))) (=> (p x) (p (bvsub x (bvshl k #x000000000000000c))))))
(assert (forall ((x (_ BitVec 64))) (=> (p x) (= (bvand x #x0000000000000fff) #x0000000000000000))))
(check-sat)
