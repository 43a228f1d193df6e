; Clauses that say nothing: true, a head true, a body false, a body that contradicts itself, a tautology.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert true)
(assert (=> false false))
(assert (forall ((x Int)) (=> (p x) true)))
(assert (forall ((x Int)) (=> (and (> x 0) (< x 0)) (p x))))
(assert (forall ((x Int)) (=> (p x) (p x))))
(assert (p 1))
(assert (forall ((x Int)) (=> (and (p x) (not (= x 1))) false)))
(check-sat)
