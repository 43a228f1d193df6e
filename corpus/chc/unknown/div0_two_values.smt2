; Unsafe only for those functions that send 1 div 0 and 2 div 0 to different values.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 1 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 2)) (p (+ x 1) (div x 0)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 2) (not (= y (div 2 0)))) false)))
(check-sat)
