; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: string copy.
; A string that ends in 0 is copied from s to t, the end included.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun loop ((Array Int Int) (Array Int Int) Int) Bool)
(declare-fun end ((Array Int Int) (Array Int Int) Int) Bool)
(assert (forall ((s (Array Int Int)) (t (Array Int Int))) (loop s t 0)))
(assert (forall ((s (Array Int Int)) (t (Array Int Int)) (i Int))
  (=> (and (loop s t i) (not (= (select s i) 0))) (loop s (store t i (select s i)) (+ i 1)))))
(assert (forall ((s (Array Int Int)) (t (Array Int Int)) (i Int))
  (=> (and (loop s t i) (= (select s i) 0)) (end s (store t i 0) i))))
(assert (forall ((s (Array Int Int)) (t (Array Int Int)) (i Int) (x Int))
  (=> (and (end s t i) (<= 0 x) (<= x i)) (= (select s x) (select t x)))))
(check-sat)
