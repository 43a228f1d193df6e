; Equality between whole arrays, positive and negative: two copies get the same writes.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (= a b) (p a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (k Int) (v Int)) (=> (p a b) (p (store a k v) (store b k v)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (distinct a b)) false)))
(check-sat)
