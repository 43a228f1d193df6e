; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: perfc copy info.
; Where a has the property (here: is positive), b and c agree afterwards.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) (Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (n Int)) (l a b c 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (n Int))
  (=> (and (l a b c i n) (< i n) (> (select a i) 0)) (l a b (store c i (select b i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (n Int))
  (=> (and (l a b c i n) (< i n) (<= (select a i) 0)) (l a b c (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (n Int) (x Int))
  (=> (and (l a b c i n) (>= i n) (<= 0 x) (< x n) (> (select a x) 0)) (= (select b x) (select c x)))))
(check-sat)
