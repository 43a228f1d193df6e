; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: partition.
; The cells of src go to a if they are positive or zero, to b if they are negative.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) (Array Int Int) (Array Int Int) Int Int Int Int) Bool)
(assert (forall ((src (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)) (n Int)) (l src a b 0 0 0 n)))
(assert (forall ((src (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)) (i Int) (p Int) (q Int) (n Int))
  (=> (and (l src a b i p q n) (< i n) (>= (select src i) 0)) (l src (store a p (select src i)) b (+ i 1) (+ p 1) q n))))
(assert (forall ((src (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)) (i Int) (p Int) (q Int) (n Int))
  (=> (and (l src a b i p q n) (< i n) (< (select src i) 0)) (l src a (store b q (select src i)) (+ i 1) p (+ q 1) n))))
(assert (forall ((src (Array Int Int)) (a (Array Int Int)) (b (Array Int Int)) (i Int) (p Int) (q Int) (n Int) (x Int))
  (=> (and (l src a b i p q n) (>= i n))
      (and (=> (and (<= 0 x) (< x p)) (>= (select a x) 0)) (=> (and (<= 0 x) (< x q)) (< (select b x) 0))))))
(check-sat)
