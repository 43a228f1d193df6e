; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: cyber init.
; The cell x gets v0, v1, v2 or v3 according to x modulo 4.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) Int Int Int Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (v0 Int) (v1 Int) (v2 Int) (v3 Int) (n Int)) (l a 0 v0 v1 v2 v3 n)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (v0 Int) (v1 Int) (v2 Int) (v3 Int) (n Int))
  (=> (and (l a i v0 v1 v2 v3 n) (< i n)
           (= b (store (store (store (store a i v0) (+ i 1) v1) (+ i 2) v2) (+ i 3) v3))) (l b (+ i 4) v0 v1 v2 v3 n))))
(assert (forall ((a (Array Int Int)) (i Int) (v0 Int) (v1 Int) (v2 Int) (v3 Int) (n Int) (x Int))
  (=> (and (l a i v0 v1 v2 v3 n) (>= i n) (<= 0 x) (< x n))
      (and (=> (= (mod x 4) 0) (= (select a x) v0)) (=> (= (mod x 4) 1) (= (select a x) v1))
           (=> (= (mod x 4) 2) (= (select a x) v2)) (=> (= (mod x 4) 3) (= (select a x) v3))))))
(check-sat)
