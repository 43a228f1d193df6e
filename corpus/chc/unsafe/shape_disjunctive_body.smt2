; Predicates under a disjunction in the goal: one of the two places can be bad.
; engines: bmc
(set-logic HORN)
(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(assert (a 0))
(assert (forall ((x Int)) (=> (and (a x) (< x 3)) (a (+ x 1)))))
(assert (forall ((x Int)) (=> (a x) (b (* 2 x)))))
(assert (forall ((x Int)) (=> (and (or (and (a x) (> x 3)) (and (b x) (> x 5))) (= x x)) false)))
(check-sat)
