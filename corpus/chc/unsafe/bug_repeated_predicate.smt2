; One predicate twice in a body, with the same and with different arguments.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (forall ((x Int)) (=> (and (>= x 0) (<= x 3)) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p x) (p y)) (q x y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (q y x) (not (= x y)) (= (+ x y) 5)) false)))
(check-sat)
