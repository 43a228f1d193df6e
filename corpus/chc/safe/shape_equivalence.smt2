; A clause written as an equivalence, which reduces to Horn clauses in both directions.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (q 4))
(assert (forall ((x Int)) (= (p x) (and (q x) (> x 0)))))
(assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (>= x 4))))
(check-sat)
