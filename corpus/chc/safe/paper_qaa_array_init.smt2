; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Fig. 1 and 2: array init,
; with the paper's locations l0, l1, l2 and the error transition from l2.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l0 ((Array Int Int) Int) Bool)
(declare-fun l1 ((Array Int Int) Int Int) Bool)
(declare-fun l2 ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (l0 a n)))
(assert (forall ((a (Array Int Int)) (n Int)) (=> (l0 a n) (l1 a 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (l1 a i n) (< i n)) (l1 (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (l1 a i n) (>= i n)) (l2 a i n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (l2 a i n) (<= 0 k) (< k n) (distinct (select a k) 0)) false)))
(check-sat)
