; A negated predicate as a head is a goal: (=> G (not (p x))) says that p x and G is impossible.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 6))
(assert (forall ((x Int)) (=> (p x) (p (+ x 6)))))
(assert (forall ((x Int)) (=> (= (mod x 6) 1) (not (p x)))))
(check-sat)
