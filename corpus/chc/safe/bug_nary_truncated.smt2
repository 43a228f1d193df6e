; A conjunction with five arguments whose last one matters.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 0) (>= y 0) (<= x 100) (= y 0)) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 0) (> x 1) (> x 2) (> x 3) (> x 101)) false)))
(check-sat)
