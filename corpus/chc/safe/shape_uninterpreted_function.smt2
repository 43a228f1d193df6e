; A free function symbol: safe whatever f is.
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int)) (p x (f x))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (f (+ x 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (not (= y (f x)))) false)))
(check-sat)
