; Deadlock: from 10 on nothing moves; the goal asks for 11.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 11)) false)))
(check-sat)
