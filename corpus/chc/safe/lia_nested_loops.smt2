; Scalar LIA: two nested loops, two locations; the inner counter never passes the outer one.
; engines: tree_ic3ia
(set-logic HORN)
(declare-fun outer (Int Int) Bool)
(declare-fun inner (Int Int Int) Bool)
(assert (forall ((n Int)) (outer 0 n)))
(assert (forall ((i Int) (n Int)) (=> (and (outer i n) (< i n)) (inner i 0 n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (< j i)) (inner i (+ j 1) n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (>= j i)) (outer (+ i 1) n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (inner i j n) (> j i)) false)))
(check-sat)
