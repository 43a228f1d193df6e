; An existential quantifier in a body is a universal one over the clause.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((y Int)) (=> (exists ((x Int)) (and (p x) (= y (+ x 4)))) (p y))))
(assert (forall ((y Int)) (=> (and (p y) (exists ((k Int)) (= y (+ 1 (* 2 k))))) false)))
(check-sat)
