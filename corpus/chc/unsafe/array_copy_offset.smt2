; Copy loop that writes one cell too far to the right.
; engines: bmc
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< i n)) (loop a (store b (+ i 1) (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a b i n) (>= i n) (> n 2) (< 0 z n) (not (= (select b z) (select a z)))) false)))
(check-sat)
