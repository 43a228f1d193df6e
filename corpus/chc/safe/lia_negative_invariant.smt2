; The invariant is full of negative numbers, which a printer must write as (- 5).
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p (- 5) (- 100)))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x (- 50))) (p (- x 5) (+ y 10)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (or (< x (- 50)) (> x (- 5)) (< y (- 100)) (> y (- 10)))) false)))
(check-sat)
