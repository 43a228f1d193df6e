; A goal without any predicate whose guard can be true: unsatisfiable whatever the predicates are.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (> x 3) (p x))))
(assert (forall ((x Int)) (=> (> x 100) false)))
(check-sat)
