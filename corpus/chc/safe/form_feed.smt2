; A form feed between tokens is a blank, for the reader as for the checker.
; engines: kinduction
(set-logicHORN)
(declare-fun p (Int) Bool)

(assert (p0))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(check-sat)
