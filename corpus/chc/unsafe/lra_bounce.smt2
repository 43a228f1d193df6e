; LRA: the third step of 1/3 lands in the forbidden interval around 1.
; engines: bmc,tree_ic3ia
(set-logic HORN)
(declare-fun p (Real) Bool)
(assert (p 0.0))
(assert (forall ((x Real)) (=> (p x) (p (+ x (/ 1.0 3.0))))))
(assert (forall ((x Real)) (=> (and (p x) (> x 0.9) (< x 1.1)) false)))
(check-sat)
