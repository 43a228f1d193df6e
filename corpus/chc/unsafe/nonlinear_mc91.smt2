; Non-linear: McCarthy's function returns 91 for 99; the refutation is a tree with several levels.
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((x Int)) (=> (> x 100) (mc x (- x 10)))))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (<= x 100) (mc (+ x 11) y) (mc y r)) (mc x r))))
(assert (forall ((r Int)) (=> (and (mc 99 r) (= r 91)) false)))
(check-sat)
