; Non-linear with arrays: two half-filled arrays are combined; the result misses cell 1.
; engines: bmc
(set-logic HORN)
(declare-fun half (Int (Array Int Int)) Bool)
(declare-fun full ((Array Int Int)) Bool)
(assert (forall ((k Int)) (half k (store ((as const (Array Int Int)) 0) k 1))))
(assert (forall ((k Int) (l Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (half k a) (half l b)) (full (store a l (select b l))))))
(assert (forall ((a (Array Int Int))) (=> (and (full a) (= (select a 0) 1) (= (select a 1) 0) (= (select a 2) 1)) false)))
(check-sat)
