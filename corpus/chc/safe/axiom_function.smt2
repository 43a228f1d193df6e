; An assertion without predicates is an axiom about the function, no goal: some meaning of it is wanted.
; engines: candidates
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int)) (> (f x) 0)))
(assert (forall ((x Int)) (p x (f x))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p y z)) (p x z))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= y 0)) false)))
(check-sat)
