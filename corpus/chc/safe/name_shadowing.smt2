; A bound variable with the name of a predicate, of a macro, and of an outer bound variable.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int Int) Bool)
(define-fun one () Int 1)
(assert (forall ((q Int)) (=> (= q 1) (p q))))
(assert (forall ((one Int)) (=> (and (p one) (> one 0)) (p (+ one 1)))))
(assert (forall ((x Int)) (=> (p x) (q x one))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (exists ((x Int)) (= x 0)) (< x y)) false)))
(check-sat)
