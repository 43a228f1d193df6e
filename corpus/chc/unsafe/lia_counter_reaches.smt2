; Scalar LIA: the counter reaches 5 after five steps.
; engines: bmc
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((x Int)) (=> (inv x) (inv (+ x 1)))))
(assert (forall ((x Int)) (=> (inv x) (not (= x 5)))))
(check-sat)
