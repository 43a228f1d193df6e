; Division by zero decides which way is taken, but both ways are bad.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (and (p x) (>= (div 8 0) 3)) (p 50))))
(assert (forall ((x Int)) (=> (and (p x) (< (div 8 0) 3)) (p 60))))
(assert (forall ((x Int)) (=> (and (p x) (>= x 50)) false)))
(check-sat)
