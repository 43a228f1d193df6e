; Nested loops: the sum over the triangle reaches 6 when the outer counter is 4.
; engines: bmc
(set-logic HORN)
(declare-fun o (Int Int) Bool)
(declare-fun n (Int Int Int) Bool)
(assert (o 0 0))
(assert (forall ((i Int) (s Int)) (=> (o i s) (n i 0 s))))
(assert (forall ((i Int) (j Int) (s Int)) (=> (and (n i j s) (< j i)) (n i (+ j 1) (+ s 1)))))
(assert (forall ((i Int) (j Int) (s Int)) (=> (and (n i j s) (>= j i)) (o (+ i 1) s))))
(assert (forall ((i Int) (s Int)) (=> (and (o i s) (= s 6)) false)))
(check-sat)
