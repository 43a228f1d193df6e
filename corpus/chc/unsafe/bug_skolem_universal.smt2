; A head under a universal quantifier inside the clause; the goal needs two different instances.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (p 3))
(assert (forall ((x Int)) (=> (p x) (forall ((z Int)) (=> (> z x) (q z))))))
(assert (forall ((x Int) (y Int)) (=> (and (q x) (q y) (= y (+ x 1000))) false)))
(check-sat)
