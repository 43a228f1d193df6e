; An existential quantifier in the goal's guard: some cell between 0 and 3 is not zero. Reachable.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (p ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (p (store a i i) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (exists ((k Int)) (and (<= 0 k 3) (> (select a k) 2)))) false)))
(check-sat)
