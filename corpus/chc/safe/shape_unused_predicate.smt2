; Predicates that are declared and never used, or used but out of the goal's reach; a model must define them.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun unused (Int (Array Int Int) Bool) Bool)
(declare-fun aside (Int) Bool)
(declare-fun flag () Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (aside (- x)))))
(assert (forall ((x Int)) (=> (aside x) (aside (- x 1)))))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(check-sat)
