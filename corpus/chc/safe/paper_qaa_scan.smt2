; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: scan.
; The cells before the one where the scan stands are not null.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun scan ((Array Int Int) Int Int) Bool)
(declare-fun stop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (scan a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (scan a i n) (< i n) (not (= (select a i) 0))) (scan a (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (scan a i n) (or (>= i n) (= (select a i) 0))) (stop a i n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (x Int)) (=> (and (stop a i n) (<= 0 x) (< x i) (= (select a x) 0)) false)))
(check-sat)
