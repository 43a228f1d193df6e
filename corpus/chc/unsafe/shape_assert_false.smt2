; One assertion is simply false.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (> x 0) (p x))))
(assert false)
(check-sat)
