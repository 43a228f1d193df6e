; Arguments in different positions at each location; a slot that a location does not use must not be invented later.
; engines: kinduction
(set-logic HORN)
(declare-fun l1 (Int Int) Bool)
(declare-fun l2 (Int) Bool)
(declare-fun l3 (Int Int Int) Bool)
(assert (l1 3 4))
(assert (forall ((x Int) (y Int)) (=> (l1 x y) (l2 y))))
(assert (forall ((y Int) (z Int)) (=> (l2 y) (l3 z y z))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (l3 x y z) (l1 (- y 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (l1 x y) (not (= x 3))) false)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (l3 x y z) (not (= x z))) false)))
(check-sat)
