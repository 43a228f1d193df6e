; A recursive function that adds, its summary r = x + y, and a caller with two calls.
(set-logic HORN)
(declare-fun add (Int Int Int) Bool)
(assert (forall ((x Int)) (add x 0 x)))
(assert (forall ((x Int) (y Int) (r Int)) (=> (and (add x (- y 1) r) (> y 0)) (add x y (+ r 1)))))
(assert (forall ((x Int) (y Int) (r Int) (s Int)) (=> (and (add x y r) (add y x s) (not (= r s))) false)))
(check-sat)
