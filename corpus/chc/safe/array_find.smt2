; Array loop: linear search; every cell before the place where it stops differs from the key.
; engines: kinduction
(set-logic HORN)
(declare-fun find ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (k Int) (n Int)) (find a k 0 n)))
(assert (forall ((a (Array Int Int)) (k Int) (i Int) (n Int))
  (=> (and (find a k i n) (< i n) (not (= (select a i) k))) (find a k (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (k Int) (i Int) (n Int) (z Int))
  (=> (and (find a k i n) (<= 0 z) (< z i) (= (select a z) k)) false)))
(check-sat)
