; Array-valued constant: a cell that was never written still has the default.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (p ((as const (Array Int Int)) 5) 0))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i 4)) (p (store a i 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (z Int)) (=> (and (p a i) (= i 4) (= (select a z) 5) (= (select a (- z 1)) 1)) false)))
(check-sat)
