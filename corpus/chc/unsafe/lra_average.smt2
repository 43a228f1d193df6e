; LRA: repeated averaging with an input in [0, 8] gets above 15/2 after four steps.
; engines: bmc
(set-logic HORN)
(declare-fun p (Real) Bool)
(assert (p 0.0))
(assert (forall ((x Real) (u Real)) (=> (and (p x) (<= 0.0 u) (<= u 8.0)) (p (* 0.5 (+ x u))))))
(assert (forall ((x Real)) (=> (and (p x) (>= x 7.5)) false)))
(check-sat)
