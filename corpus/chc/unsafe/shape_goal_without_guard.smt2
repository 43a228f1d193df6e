; The goal forbids a place altogether, and the place is reached.
; engines: bmc
(set-logic HORN)
(declare-fun a (Int) Bool)
(declare-fun trap () Bool)
(assert (a 0))
(assert (forall ((x Int)) (=> (and (a x) (< x 3)) (a (+ x 1)))))
(assert (forall ((x Int)) (=> (and (a x) (= (* x x) 9)) trap)))
(assert (not trap))
(check-sat)
