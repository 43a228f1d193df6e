; A type applied to nothing that has a parameter.
; exit: 3
; expect-error: takes 1 arguments
(set-logic HORN)
(declare-datatypes ((T 1)) ((par (A) ((mk (of A))))))
(declare-fun p (T) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
