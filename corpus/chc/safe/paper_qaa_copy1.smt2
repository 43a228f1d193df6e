; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: copy1. Array a is copied to array b.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (l a b 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (l a b i n) (< i n)) (l a (store b i (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (l a b i n) (>= i n)) (forall ((x Int)) (=> (and (<= 0 x) (< x n)) (= (select a x) (select b x)))))))
(check-sat)
