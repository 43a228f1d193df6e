; The goal's guard is unsatisfiable by itself.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (p x)))
(assert (forall ((x Int)) (=> (and (p x) (< x x)) false)))
(check-sat)
