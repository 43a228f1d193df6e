; Int and Real together: rounding down loses 3/4.
; engines: bmc
(set-logic HORN)
(declare-fun p (Real Int) Bool)
(assert (p 0.0 0))
(assert (forall ((x Real) (k Int)) (=> (p x k) (p (+ x 0.75) (to_int x)))))
(assert (forall ((x Real) (k Int)) (=> (and (p x k) (is_int x) (>= (- x (to_real k)) 1.0)) false)))
(check-sat)
