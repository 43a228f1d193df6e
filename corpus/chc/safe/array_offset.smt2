; Array loop with an offset: b[i + 3] := a[i].
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a b i n) (< i n)) (loop a (store b (+ i 3) (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a b i n) (>= i n) (<= 3 z) (< z (+ n 3)) (not (= (select b z) (select a (- z 3))))) false)))
(check-sat)
