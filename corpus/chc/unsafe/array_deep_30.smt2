; Deep bug with an array: cell 15 is reached after 15 writes, and read back after 15 steps more.
; engines: bmc
(set-logic HORN)
(declare-fun w ((Array Int Int) Int) Bool)
(declare-fun r ((Array Int Int) Int Int) Bool)
(assert (w ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (w a i) (< i 15)) (w (store a i (+ i 1)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (w a i) (= i 15)) (r a 0 0))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int)) (=> (and (r a i s) (< i 15)) (r a (+ i 1) (+ s (select a i))))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int)) (=> (and (r a i s) (= s 120)) false)))
(check-sat)
