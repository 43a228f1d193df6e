; Scalar LIA with div: halving a non-negative number never leaves the range.
; engines: kinduction
(set-logic HORN)
(declare-fun halve (Int) Bool)
(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 1000)) (halve x))))
(assert (forall ((x Int) (y Int)) (=> (and (halve x) (= y (div x 2))) (halve y))))
(assert (forall ((x Int)) (=> (and (halve x) (or (< x 0) (> x 1000))) false)))
(check-sat)
