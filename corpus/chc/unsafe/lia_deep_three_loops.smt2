; Deep bug across three loops: 12 + 12 + 12 steps and two changes of place.
; engines: bmc
(set-logic HORN)
(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)
(assert (a 0))
(assert (forall ((x Int)) (=> (a x) (a (+ x 1)))))
(assert (forall ((x Int)) (=> (and (a x) (= x 12)) (b x))))
(assert (forall ((x Int)) (=> (b x) (b (+ x 2)))))
(assert (forall ((x Int)) (=> (and (b x) (= x 36)) (c x))))
(assert (forall ((x Int)) (=> (c x) (c (- x 3)))))
(assert (forall ((x Int)) (=> (and (c x) (= x 0)) false)))
(check-sat)
