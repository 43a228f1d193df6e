; Euclidean division: mod of a negative number by a negative number is still non-negative.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int)) (p x 0)))
(assert (forall ((x Int) (r Int)) (=> (p x r) (p (- x 7) (mod x (- 5))))))
(assert (forall ((x Int) (r Int)) (=> (and (p x r) (or (< r 0) (> r 4))) false)))
(check-sat)
