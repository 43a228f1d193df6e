; Array loop that runs backwards from n - 1 to 0.
(set-logic HORN)
(declare-fun back ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (back a (- n 1) n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (back a i n) (>= i 0)) (back (store a i i) (- i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (back a i n) (< i 0) (<= 0 z) (< z n) (not (= (select a z) z))) false)))
(check-sat)
