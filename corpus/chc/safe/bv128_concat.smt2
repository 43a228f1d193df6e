; BV width 128: the upper and the lower half are each other's complement.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 128)) Bool)
(assert (p #x0123456789abcdeffedcba9876543210))
(assert (forall ((x (_ BitVec 128)) (k (_ BitVec 64)))
  (=> (p x) (p (concat (bvxor ((_ extract 127 64) x) k) (bvxor ((_ extract 63 0) x) k))))))
(assert (forall ((x (_ BitVec 128))) (=> (p x) (= (bvnot ((_ extract 127 64) x)) ((_ extract 63 0) x)))))
(check-sat)
