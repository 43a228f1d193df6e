; Every clause calls its variables x and y; they are not the same x and y.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 1) (= y 2)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p y x) (q (+ x 1) (+ y 1)))))
(assert (forall ((y Int) (x Int)) (=> (q x y) (p (- y 1) (+ x 5)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 1) (= y 14)) false)))
(check-sat)
