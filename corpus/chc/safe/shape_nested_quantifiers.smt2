; Quantifiers one by one, and a quantifier over the consequent only.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int)) (forall ((y Int)) (=> (< x y) (p x y)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (forall ((z Int)) (=> (> z y) (p x z))))))
(assert (forall ((x Int)) (not (exists ((y Int)) (and (p x y) (>= x y))))))
(check-sat)
