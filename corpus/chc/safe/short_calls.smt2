; Calls without recursion, two of them in one body: all derivations are short, and the strongest formulas of
; the callees are a proof. The value that was added is read out of the array it was written to.
; engines: bmc
(set-logic HORN)
(declare-fun add ((Array Int Int) Int Int (Array Int Int)) Bool)
(declare-fun twice ((Array Int Int) Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (i Int) (v Int) (b (Array Int Int)))
  (=> (and (<= 3 v) (<= v 5) (= b (store a i (+ v (select a i))))) (add a i v b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (v Int) (w Int))
  (=> (and (add a i v b) (add b i w c)) (twice a i c))))
(assert (forall ((a (Array Int Int)) (c (Array Int Int)) (i Int))
  (=> (and (twice a i c) (or (< (select c i) (+ (select a i) 6)) (> (select c i) (+ (select a i) 10)))) false)))
(check-sat)
