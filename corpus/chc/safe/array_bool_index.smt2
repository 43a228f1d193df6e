; An array indexed by a Boolean has two cells.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Bool Int) Int) Bool)
(assert (p ((as const (Array Bool Int)) 1) 0))
(assert (forall ((a (Array Bool Int)) (n Int) (b Bool)) (=> (p a n) (p (store a b (+ (select a b) 1)) (+ n 1)))))
(assert (forall ((a (Array Bool Int)) (n Int)) (=> (p a n) (= (+ (select a true) (select a false)) (+ n 2)))))
(check-sat)
