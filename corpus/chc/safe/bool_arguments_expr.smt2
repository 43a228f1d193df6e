; Boolean arguments given as whole formulas, in heads and in bodies.
(set-logic HORN)
(declare-fun p (Bool Int) Bool)
(assert (forall ((x Int)) (=> (< x 3) (p (< x 5) x))))
(assert (forall ((x Int) (b Bool)) (=> (p b x) (p (=> b (<= x 5)) (ite b (- x 1) x)))))
(assert (forall ((x Int)) (=> (p (and (< x 0) (> x 0)) x) false)))
(check-sat)
