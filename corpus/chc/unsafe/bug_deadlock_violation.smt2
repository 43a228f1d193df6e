; Deadlock masking: the bad state 5 has no successor. Looking for the violation one step later misses it.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (>= x 5)) false)))
(check-sat)
