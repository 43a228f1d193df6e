; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: loop1.
; Each cell is initialised with its index.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (l a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (l a i n) (< i n)) (l (store a i i) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (l a i n) (>= i n)) (forall ((x Int)) (=> (and (<= 0 x) (< x n)) (= (select a x) x))))))
(check-sat)
