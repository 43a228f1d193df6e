; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Table 1: insertion sort (inner loop).
; A cell is moved down by exchanges; a[j] is less than or equal to all cells of the segment a[j..i].
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (i Int)) (=> (>= i 0) (l a i i))))
(assert (forall ((a (Array Int Int)) (j Int) (i Int))
  (=> (and (l a j i) (> j 0) (> (select a (- j 1)) (select a j)))
      (l (store (store a j (select a (- j 1))) (- j 1) (select a j)) (- j 1) i))))
(assert (forall ((a (Array Int Int)) (j Int) (i Int) (x Int))
  (=> (and (l a j i) (or (<= j 0) (<= (select a (- j 1)) (select a j))) (<= j x) (<= x i) (> (select a j) (select a x))) false)))
(check-sat)
