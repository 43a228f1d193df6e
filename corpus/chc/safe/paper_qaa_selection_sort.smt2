; Seghir et al., Abstraction Refinement for Quantified Array Assertions, Fig. 3 and 4: selection sort.
; Two nested loops, exchange at the end of the inner one; sorted at two arbitrary indices afterwards.
; engines: predicate_abstraction
(set-logic HORN)
(declare-fun l1 ((Array Int Int) Int Int) Bool)
(declare-fun l2 ((Array Int Int) Int Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (l1 a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (l1 a i n) (< i n)) (l2 a i (+ i 1) i n))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int) (n Int))
  (=> (and (l2 a i j s n) (< j n) (>= (select a j) (select a s))) (l2 a i (+ j 1) s n))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int) (n Int))
  (=> (and (l2 a i j s n) (< j n) (< (select a j) (select a s))) (l2 a i (+ j 1) j n))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int) (n Int))
  (=> (and (l2 a i j s n) (>= j n)) (l1 (store (store a i (select a s)) s (select a i)) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (l Int) (k Int))
  (=> (and (l1 a i n) (>= i n) (<= 0 l) (< l k) (< k n) (< (select a k) (select a l))) false)))
(check-sat)
