; An existential quantifier over a predicate in a head.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (exists ((y Int)) (q x y)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (> y x))))
(check-sat)
