; Array loop: the sum of the absolute values of the cells is not negative.
; engines: kinduction
(set-logic HORN)
(declare-fun sum ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (sum a 0 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (s Int) (n Int))
  (=> (and (sum a i s n) (< i n)) (sum a (+ i 1) (+ s (abs (select a i))) n))))
(assert (forall ((a (Array Int Int)) (i Int) (s Int) (n Int)) (=> (and (sum a i s n) (< s 0)) false)))
(check-sat)
