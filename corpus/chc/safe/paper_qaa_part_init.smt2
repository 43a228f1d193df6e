; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: part init.
; The indices at which a and b agree are collected in c: each entry of c is between 0 and n - 1.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) (Array Int Int) (Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (n Int)) (l a b c 0 0 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (j Int) (n Int))
  (=> (and (l a b c i j n) (< i n) (= (select a i) (select b i))) (l a b (store c j i) (+ i 1) (+ j 1) n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (j Int) (n Int))
  (=> (and (l a b c i j n) (< i n) (not (= (select a i) (select b i)))) (l a b c (+ i 1) j n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)) (i Int) (j Int) (n Int) (x Int))
  (=> (and (l a b c i j n) (>= i n) (<= 0 x) (< x j) (not (and (<= 0 (select c x)) (< (select c x) n)))) false)))
(check-sat)
