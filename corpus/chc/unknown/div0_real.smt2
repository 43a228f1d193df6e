; Reals: unsafe if 1 / 0 is positive, safe otherwise.
(set-logic HORN)
(declare-fun p (Real) Bool)
(assert (p 3.0))
(assert (forall ((x Real)) (=> (and (p x) (> x 0.0)) (p (- x 1.0)))))
(assert (forall ((x Real)) (=> (and (p x) (= x 0.0) (> (/ 1.0 x) 0.0)) false)))
(check-sat)
