; Unsafe if 5 div 0 is 7, safe otherwise: neither verdict may be given.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p (div 5 0)))
(assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))
(check-sat)
