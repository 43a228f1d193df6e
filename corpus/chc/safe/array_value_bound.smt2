; Every write is larger than the last one, so the array is bounded by the last value everywhere.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (p ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (m Int) (k Int) (v Int)) (=> (and (p a m) (>= v m)) (p (store a k v) v))))
(assert (forall ((a (Array Int Int)) (m Int) (z Int)) (=> (and (p a m) (> (select a z) m)) false)))
(check-sat)
