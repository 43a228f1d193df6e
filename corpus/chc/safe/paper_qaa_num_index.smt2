; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: num index. a[i] = 2 * i + 3.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (l a 0 3 n)))
(assert (forall ((a (Array Int Int)) (i Int) (v Int) (n Int)) (=> (and (l a i v n) (< i n)) (l (store a i v) (+ i 1) (+ v 2) n))))
(assert (forall ((a (Array Int Int)) (i Int) (v Int) (n Int) (x Int))
  (=> (and (l a i v n) (>= i n) (<= 0 x) (< x n) (not (= (select a x) (+ (* 2 x) 3)))) false)))
(check-sat)
