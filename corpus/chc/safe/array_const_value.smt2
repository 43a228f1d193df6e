; Array-valued constant: a starts as the constant array of 5; only cells below 0 are written.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (p ((as const (Array Int Int)) 5)))
(assert (forall ((a (Array Int Int)) (k Int) (v Int)) (=> (and (p a) (< k 0)) (p (store a k v)))))
(assert (forall ((a (Array Int Int)) (z Int)) (=> (and (p a) (>= z 0) (not (= (select a z) 5))) false)))
(check-sat)
