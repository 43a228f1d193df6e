; States that no rule's guard covers have no successor; they must not get arbitrary ones.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 3)) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 6)) (p x (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 0)) false)))
(check-sat)
