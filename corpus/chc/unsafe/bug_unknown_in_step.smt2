; After one step with a hard non-linear guard the goal is immediate. The guard holds for (3, 4, 5, 6) among others.
(set-logic HORN)
(declare-fun p (Bool) Bool)
(assert (p false))
(assert (forall ((x Int) (y Int) (z Int) (w Int))
  (=> (and (p false) (> x 2) (> y x) (> z y) (= (+ (* x x x) (* y y y) (* z z z)) (* w w w))) (p true))))
(assert (=> (p true) false))
(check-sat)
