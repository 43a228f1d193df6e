; A Boolean written into an array of integers.
; exit: 3
; expect-error: store
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (p (store a 0 true))))
(assert (forall ((a (Array Int Int))) (=> (p a) false)))
(check-sat)
