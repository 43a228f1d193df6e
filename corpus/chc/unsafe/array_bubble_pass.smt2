; One pass of bubble sort does not sort three cells.
; engines: bmc
(set-logic HORN)
(declare-fun b ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (b a 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (b a i) (< i 2))
  (b (ite (> (select a i) (select a (+ i 1))) (store (store a i (select a (+ i 1))) (+ i 1) (select a i)) a) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (b a i) (= i 2)) (and (<= (select a 0) (select a 1)) (<= (select a 1) (select a 2))))))
(check-sat)
