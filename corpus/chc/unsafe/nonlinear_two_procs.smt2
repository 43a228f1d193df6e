; Non-linear goal: two independent counters can be at equal distance from each other.
; engines: bmc
(set-logic HORN)
(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(assert (a 0))
(assert (forall ((x Int)) (=> (a x) (a (+ x 2)))))
(assert (b 9))
(assert (forall ((x Int)) (=> (b x) (b (- x 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x) (b y) (= x y) (> x 3)) false)))
(check-sat)
