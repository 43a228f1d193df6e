; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: find.
; An array of truth values; spot is the first true cell, or n; all cells before it are false.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Bool) Int Int Int) Bool)
(assert (forall ((a (Array Int Bool)) (n Int)) (=> (>= n 0) (l a 0 n n))))
(assert (forall ((a (Array Int Bool)) (i Int) (spot Int) (n Int))
  (=> (and (l a i spot n) (< i n)) (l a (+ i 1) (ite (and (= spot n) (select a i)) i spot) n))))
(assert (forall ((a (Array Int Bool)) (i Int) (spot Int) (n Int) (x Int))
  (=> (and (l a i spot n) (>= i n) (<= 0 x) (< x spot) (select a x)) false)))
(check-sat)
