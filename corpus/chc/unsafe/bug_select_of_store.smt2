; Reading through several stores at possibly equal places.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) Int Int) Bool)
(assert (forall ((i Int) (j Int)) (p ((as const (Array Int Int)) 0) i j)))
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (p a i j) (p (store (store a i 1) j 2) i j))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int)) (=> (and (p a i j) (= (select a i) 2)) false)))
(check-sat)
