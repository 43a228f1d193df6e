; Reversal in place that runs over the whole array undoes itself.
; engines: bmc
(set-logic HORN)
(declare-fun rev ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 1) (rev a a 0 n))))
(assert (forall ((o (Array Int Int)) (a (Array Int Int)) (i Int) (n Int))
  (=> (and (rev o a i n) (< i n))
      (rev o (store (store a i (select a (- n 1 i))) (- n 1 i) (select a i)) (+ i 1) n))))
(assert (forall ((o (Array Int Int)) (a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (rev o a i n) (>= i n) (<= 0 z) (< z n) (not (= (select a z) (select o (- n 1 z))))) false)))
(check-sat)
