; An array of reals: cells shrink by halves and stay positive.
(set-logic HORN)
(declare-fun p ((Array Int Real)) Bool)
(assert (p ((as const (Array Int Real)) 1.0)))
(assert (forall ((a (Array Int Real)) (i Int) (j Int)) (=> (p a) (p (store a i (/ (select a j) 2.0))))))
(assert (forall ((a (Array Int Real)) (z Int)) (=> (and (p a) (<= (select a z) 0.0)) false)))
(check-sat)
