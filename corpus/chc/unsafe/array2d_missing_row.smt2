; Array of arrays: the loop forgets the last row.
; engines: bmc
(set-logic HORN)
(declare-fun r ((Array Int (Array Int Int)) Int Int) Bool)
(assert (forall ((a (Array Int (Array Int Int))) (m Int)) (=> (>= m 2) (r a 0 m))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (m Int))
  (=> (and (r a i m) (< i (- m 1))) (r (store a i ((as const (Array Int Int)) 0)) (+ i 1) m))))
(assert (forall ((a (Array Int (Array Int Int))) (i Int) (m Int) (x Int) (y Int))
  (=> (and (r a i m) (>= i (- m 1)) (<= 0 x) (< x m) (not (= (select (select a x) y) 0))) false)))
(check-sat)
