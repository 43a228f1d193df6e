; The value of the division by zero is computed but never decides anything.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 1 0))
(assert (forall ((x Int) (t Int)) (=> (p x t) (p (ite (= t (div x 0)) (+ x 1) (+ x 2)) (div t 0)))))
(assert (forall ((x Int) (t Int)) (=> (and (p x t) (< x 1)) false)))
(check-sat)
