; Somebody believes that mod follows the sign of the dividend, as in C; SMT-LIB's never is negative.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p (- 7)))
(assert (forall ((x Int)) (=> (and (p x) (= (mod x 3) 2)) false)))
(check-sat)
