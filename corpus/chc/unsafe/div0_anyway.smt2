; Reachable without any division by zero, although one is in the file.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (div y 0)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) 0))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 4) (= y 0)) false)))
(check-sat)
