; Scalar LIA: two counters move in opposite directions; the goal needs the relation x + y = n.
(set-logic HORN)
(declare-fun inv (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (inv 0 n n))))
(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (inv x y n) (< x n)) (inv (+ x 1) (- y 1) n))))
(assert (forall ((x Int) (y Int) (n Int))
  (=> (and (inv x y n) (>= x n) (not (= y 0))) false)))
(check-sat)
