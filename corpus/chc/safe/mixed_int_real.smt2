; Int and Real together: to_int rounds down, and never exceeds the real it came from.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Real Int) Bool)
(assert (p 0.0 0))
(assert (forall ((x Real) (k Int) (y Real)) (=> (and (p x k) (>= y x)) (p y (to_int y)))))
(assert (forall ((x Real) (k Int)) (=> (and (p x k) (> (to_real k) x)) false)))
(check-sat)
