; A walk with case distinction: from 6 the sequence 6 3 10 5 16 8 4 2 1 reaches 16.
; engines: bmc
(set-logic HORN)
(declare-fun c (Int) Bool)
(assert (c 6))
(assert (forall ((x Int)) (=> (and (c x) (= (mod x 2) 0)) (c (div x 2)))))
(assert (forall ((x Int)) (=> (and (c x) (= (mod x 2) 1)) (c (+ (* 3 x) 1)))))
(assert (forall ((x Int)) (=> (and (c x) (> x 10)) false)))
(check-sat)
