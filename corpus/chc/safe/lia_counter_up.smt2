; Scalar LIA: x counts up from 0 without bound; it never becomes negative.
; Inductive at once.
; engines: kinduction
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x) (= y (+ x 1))) (inv y))))
(assert (forall ((x Int)) (=> (and (inv x) (< x 0)) false)))
(check-sat)
