; Scalar LIA with mod: steps of two keep the parity.
; engines: kinduction
(set-logic HORN)
(declare-fun even (Int) Bool)
(assert (even 0))
(assert (forall ((x Int)) (=> (even x) (even (+ x 2)))))
(assert (forall ((x Int)) (=> (and (even x) (= (mod x 2) 1)) false)))
(check-sat)
