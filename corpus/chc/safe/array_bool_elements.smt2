; Array of Booleans: a sieve-like marking; marked cells stay marked.
(set-logic HORN)
(declare-fun m ((Array Int Bool) Int Int) Bool)
(assert (forall ((n Int)) (m ((as const (Array Int Bool)) false) 0 n)))
(assert (forall ((a (Array Int Bool)) (i Int) (n Int)) (=> (and (m a i n) (< i n)) (m (store a i true) (+ i 1) n))))
(assert (forall ((a (Array Int Bool)) (i Int) (n Int) (z Int))
  (=> (and (m a i n) (>= i n) (<= 0 z) (< z n)) (select a z))))
(check-sat)
