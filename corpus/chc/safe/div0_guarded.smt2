; Division by zero cannot happen: the divisor is positive at every division.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((d Int)) (=> (> d 0) (p 100 d))))
(assert (forall ((x Int) (d Int)) (=> (and (p x d) (> d 0)) (p (div x d) (+ d 1)))))
(assert (forall ((x Int) (d Int)) (=> (and (p x d) (or (< x 0) (> x 100) (<= d 0))) false)))
(check-sat)
