; Non-linear with arrays: two arrays without negative cells are merged cell by cell into one without.
(set-logic HORN)
(declare-fun ok ((Array Int Int)) Bool)
(assert (ok ((as const (Array Int Int)) 0)))
(assert (forall ((a (Array Int Int)) (k Int) (v Int)) (=> (and (ok a) (>= v 0)) (ok (store a k v)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (k Int)) (=> (and (ok a) (ok b)) (ok (store a k (+ (select a k) (select b k)))))))
(assert (forall ((a (Array Int Int)) (z Int)) (=> (and (ok a) (< (select a z) 0)) false)))
(check-sat)
