; Each cell is its left neighbour plus one: a[i] = a[0] + i.
(set-logic HORN)
(declare-fun l ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (l a 1 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (l a i n) (< i n)) (l (store a i (+ (select a (- i 1)) 1)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (l a i n) (>= i n) (<= 0 z) (< z n)) (= (select a z) (+ (select a 0) z)))))
(check-sat)
