; The bounds are negative fractions, which a printer must write as (- (/ 7 3)).
; engines: kinduction
(set-logic HORN)
(declare-fun p (Real) Bool)
(assert (p (- (/ 7.0 3.0))))
(assert (forall ((x Real)) (=> (p x) (p (/ x 2.0)))))
(assert (forall ((x Real)) (=> (and (p x) (or (< x (- (/ 7.0 3.0))) (>= x 0.0))) false)))
(check-sat)
