; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: ixj pad fsk.
; Two loops one after the other initialise two parts of a range.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun p ((Array Int Int) Int Int Int) Bool)
(declare-fun q ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (m Int) (n Int)) (=> (and (<= 0 m) (<= m n)) (p a 0 m n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int)) (=> (and (p a i m n) (< i m)) (p (store a i 1) (+ i 1) m n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int)) (=> (and (p a i m n) (>= i m)) (q a i m n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int)) (=> (and (q a i m n) (< i n)) (q (store a i 1) (+ i 1) m n))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (n Int) (x Int))
  (=> (and (q a i m n) (>= i n) (<= 0 x) (< x n) (not (= (select a x) 1))) false)))
(check-sat)
