; Division by zero is a function of the dividend: the same quotient twice, whatever it is.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int) (k Int)) (=> (p x y) (p (div k 0) (div k 0)))))
(assert (forall ((x Int) (y Int) (k Int)) (=> (p x y) (p (+ 2 (mod k 0)) (+ (mod k 0) 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (not (= x y))) false)))
(check-sat)
