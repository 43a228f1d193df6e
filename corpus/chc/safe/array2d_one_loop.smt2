; Array of arrays, one loop: the diagonal gets 1.
(set-logic HORN)
(declare-fun d ((Array Int (Array Int Int)) Int Int) Bool)
(assert (forall ((a (Array Int (Array Int Int))) (n Int)) (d a 0 n)))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (n Int))
  (=> (and (d a i n) (< i n)) (d (store a i (store (select a i) i 1)) (+ i 1) n))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (n Int) (z Int))
  (=> (and (d a i n) (>= i n) (<= 0 z) (< z n) (not (= (select (select a z) z) 1))) false)))
(check-sat)
