; Array loop in steps of two: even cells get 1, odd cells 2.
; The goal only asks for positive cells.
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i (* 2 n))) (loop (store (store a i 1) (+ i 1) 2) (+ i 2) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a i n) (>= i (* 2 n)) (<= 0 z) (< z (* 2 n)) (< (select a z) 1)) false)))
(check-sat)
