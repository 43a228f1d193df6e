; Predicates in bodies with constants, repeated variables and terms as arguments.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 1 1))
(assert (forall ((x Int)) (=> (p x x) (p (+ x 1) (+ x 1)))))
(assert (forall ((x Int)) (=> (p 3 3) (p 10 10))))
(assert (forall ((x Int)) (=> (p (+ x 1) (- x)) false)))
(assert (=> (p 0 0) false))
(check-sat)
