; Unsafe if 0 mod 0 is 0, safe otherwise.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (mod x y) 0)) (p (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 1)) false)))
(check-sat)
