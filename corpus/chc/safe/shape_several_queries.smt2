; Three queries; all must hold.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 10))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x y)) (p (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 5)) false)))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y 5)) false)))
(assert (forall ((x Int) (y Int)) (=> (p x y) (= (+ x y) 10))))
(check-sat)
