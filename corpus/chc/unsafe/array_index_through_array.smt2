; Indirect access: an address that was written is followed.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (p ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (x Int) (k Int)) (=> (p a x) (p (store a x k) k))))
(assert (forall ((a (Array Int Int)) (x Int)) (=> (and (p a x) (= (select a (select a (select a 0))) 9) (distinct 0 (select a 0) (select a (select a 0)) 9)) false)))
(check-sat)
