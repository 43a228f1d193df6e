; A goal with two quantified indices: the array is filled with its indices, so it is sorted.
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (fill a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (fill a i n) (< i n)) (fill (store a i i) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (fill a i n) (>= i n))
      (not (exists ((x Int) (y Int)) (and (<= 0 x) (< x y n) (> (select a x) (select a y))))))))
(check-sat)
