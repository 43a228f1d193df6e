; Array loop: b[0..n-1] := a[0..n-1]; equal at every index of the range afterwards.
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (b1 (Array Int Int)) (i Int) (i1 Int) (n Int))
  (=> (and (loop a b i n) (< i n) (= b1 (store b i (select a i))) (= i1 (+ i 1))) (loop a b1 i1 n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a b i n) (>= i n) (<= 0 z) (< z n)) (= (select a z) (select b z)))))
(check-sat)
