; Two arrays filled in one loop; their cells add up to the index.
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (loop a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (v Int))
  (=> (and (loop a b i n) (< i n)) (loop (store a i v) (store b i (- i v)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a b i n) (>= i n) (<= 0 z) (< z n) (not (= (+ (select a z) (select b z)) z))) false)))
(check-sat)
