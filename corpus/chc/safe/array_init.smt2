; Array loop: a[0..n-1] is set to 0, then read at an arbitrary index in the range.
; Needs: forall j. 0 <= j < i => a[j] = 0.
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a i n) (>= i n) (<= 0 z) (< z n) (not (= (select a z) 0))) false)))
(check-sat)
