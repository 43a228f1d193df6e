; Non-linear goal: the product of two growing numbers stays positive. Solvers may answer "unknown" here.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 2 3))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= (* x y) 0)) false)))
(check-sat)
