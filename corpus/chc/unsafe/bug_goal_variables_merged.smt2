; Two variables of the goal that must stay two: x < y becomes x < x if both are given one name.
; engines: bmc
(set-logic HORN)
(declare-fun inv ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (= n 3) (inv a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (inv a i n) (< i n)) (inv (store a i (- n i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (x Int) (y Int))
  (=> (and (inv a i n) (>= i n) (<= 0 x) (< x y) (< y n) (> (select a x) (select a y))) false)))
(check-sat)
