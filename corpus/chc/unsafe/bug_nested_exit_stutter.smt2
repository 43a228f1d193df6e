; Nested loops whose inner exit is the last rule. If "exit not enabled" is read as "nothing changes",
; the inner loop cannot move and the goal becomes unreachable.
; engines: bmc
(set-logic HORN)
(declare-fun inv1 ((Array Int Int) Int Int) Bool)
(declare-fun inv2 ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (inv1 a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (inv1 a i n) (< i n)) (inv2 a i 0 n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (inv1 a i n) (>= i n) (> n 1) (= (select a 1) 7)) false)))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (n Int)) (=> (and (inv2 a i j n) (< j n)) (inv2 (store a j 7) i (+ j 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (n Int)) (=> (and (inv2 a i j n) (>= j n)) (inv1 a (+ i 1) n))))
(check-sat)
