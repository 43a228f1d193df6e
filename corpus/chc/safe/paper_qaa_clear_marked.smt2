; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: snd atiixp mixer new, dvb net feed stop.
; Cells that were not 0 before the loop are 0 afterwards; old is the array before the loop.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((old (Array Int Int)) (n Int)) (l old old 0 n)))
(assert (forall ((old (Array Int Int)) (a (Array Int Int)) (i Int) (n Int))
  (=> (and (l old a i n) (< i n)) (l old (ite (= (select a i) 0) a (store a i 0)) (+ i 1) n))))
(assert (forall ((old (Array Int Int)) (a (Array Int Int)) (i Int) (n Int) (x Int))
  (=> (and (l old a i n) (>= i n) (<= 0 x) (< x n) (not (= (select old x) 0)) (not (= (select a x) 0))) false)))
(check-sat)
