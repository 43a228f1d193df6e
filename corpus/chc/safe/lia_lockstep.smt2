; Scalar LIA: x and y grow together; 1-inductive because the goal is their difference.
; engines: kinduction
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 3) (= y 5)) (loop x y))))
(assert (forall ((x Int) (y Int) (d Int) (x1 Int) (y1 Int))
  (=> (and (loop x y) (= x1 (+ x d)) (= y1 (+ y d))) (loop x1 y1))))
(assert (forall ((x Int) (y Int)) (=> (loop x y) (= (- y x) 2))))
(check-sat)
