; Predicates under a disjunction in the body: splits into Horn clauses.
; engines: kinduction
(set-logic HORN)
(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)
(assert (a 1))
(assert (b 2))
(assert (forall ((x Int) (y Int)) (=> (and (or (a x) (and (b x) (> x 1)) (c (- x 3))) (or (= y x) (= y (+ x 3)))) (c y))))
(assert (forall ((x Int)) (=> (and (or (a x) (b x) (c x)) (< x 1)) false)))
(check-sat)
