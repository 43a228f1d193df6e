; A table as an array of arrays, addressed by two inputs; only values below the bound are written.
; engines: kinduction
(set-logic HORN)
(declare-fun t ((Array Int (Array Int Int)) Int) Bool)
(assert (forall ((b Int)) (=> (> b 0) (t ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 0)) b))))
(assert (forall ((m (Array Int (Array Int Int))) (b Int) (r Int) (c Int) (v Int))
  (=> (and (t m b) (> b 0) (< v b)) (t (store m r (store (select m r) c v)) b))))
(assert (forall ((m (Array Int (Array Int Int))) (b Int) (x Int) (y Int))
  (=> (and (t m b) (or (<= b 0) (>= (select (select m x) y) b))) false)))
(check-sat)
