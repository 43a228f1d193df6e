; LRA with fractions whose exact value matters: 1/3 added three times is exactly 1.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Real Int) Bool)
(assert (p 0.0 0))
(assert (forall ((x Real) (n Int)) (=> (p x n) (p (+ x (/ 1.0 3.0)) (+ n 1)))))
(assert (forall ((x Real) (n Int)) (=> (and (p x n) (not (= (* 3.0 x) (to_real n)))) false)))
(check-sat)
