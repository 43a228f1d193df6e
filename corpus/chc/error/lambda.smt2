; lambda is outside the fragment.
; exit: 4
; expect-error: lambda
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (p (lambda ((x Int)) (* 2 x))))
(assert (forall ((a (Array Int Int))) (=> (and (p a) (= (select a 1) 3)) false)))
(check-sat)
