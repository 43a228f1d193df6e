; The sum of n cells that all are 2 is not 2 * n + 1, but the loop counts one cell twice.
; engines: bmc
(set-logic HORN)
(declare-fun g ((Array Int Int) Int Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 0) (g ((as const (Array Int Int)) 2) 0 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int) (n Int)) (=> (and (g a i s n) (<= i n)) (g a (+ i 1) (+ s (select a i)) n))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int) (n Int)) (=> (and (g a i s n) (> i n) (not (= s (* 2 n)))) false)))
(check-sat)
