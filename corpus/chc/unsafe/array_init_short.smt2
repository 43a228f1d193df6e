; Array loop: initialisation stops one cell early.
; engines: bmc
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 1) (loop a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i (- n 1))) (loop (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a i n) (>= i (- n 1)) (<= 0 z) (< z n) (not (= (select a z) 0))) false)))
(check-sat)
