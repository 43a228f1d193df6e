; LRA: x approaches 1 by halves (x := (x + 1) / 2) and never reaches it.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Real) Bool)
(assert (p 0.0))
(assert (forall ((x Real)) (=> (p x) (p (/ (+ x 1.0) 2.0)))))
(assert (forall ((x Real)) (=> (and (p x) (>= x 1.0)) false)))
(check-sat)
