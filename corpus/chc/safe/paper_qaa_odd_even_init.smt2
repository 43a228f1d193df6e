; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: ixj daa cid read.
; Cells with an odd index get v1, cells with an even index get v2.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) Int Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (v1 Int) (v2 Int) (n Int)) (l a 0 v1 v2 n)))
(assert (forall ((a (Array Int Int)) (i Int) (v1 Int) (v2 Int) (n Int))
  (=> (and (l a i v1 v2 n) (< i n)) (l (store (store a i v2) (+ i 1) v1) (+ i 2) v1 v2 n))))
(assert (forall ((a (Array Int Int)) (i Int) (v1 Int) (v2 Int) (n Int) (x Int))
  (=> (and (l a i v1 v2 n) (>= i n) (<= 0 x) (< x n)) (= (select a x) (ite (= (mod x 2) 1) v1 v2)))))
(check-sat)
