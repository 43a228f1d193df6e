; A universal quantifier over a predicate in a body.
; exit: 4
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (> x y) (p x y))))
(assert (forall ((x Int)) (=> (forall ((y Int)) (p x y)) (q x))))
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
