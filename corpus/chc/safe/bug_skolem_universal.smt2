; A head under a universal quantifier inside the clause: q holds of every z above x, not of some.
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (p 3))
(assert (forall ((x Int)) (=> (p x) (forall ((z Int)) (=> (> z x) (q z))))))
(assert (forall ((x Int)) (=> (and (q x) (> x 100)) (p x))))
(assert (forall ((x Int)) (=> (and (q x) (<= x 3)) false)))
(check-sat)
