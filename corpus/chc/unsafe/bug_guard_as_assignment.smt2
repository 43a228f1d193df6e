; The conjunct (= j 0) is a guard of the rule, not an assignment of the next j.
; Read as an assignment, j never grows and the goal is unreachable.
; engines: bmc
(set-logic HORN)
(declare-fun inv (Int Int Int) Bool)
(assert (inv 0 0 0))
(assert (forall ((i Int) (j Int) (c Int) (i1 Int) (j1 Int) (c1 Int))
  (=> (and (inv i j c) (= j 0) (= i1 (+ i 1)) (= j1 (ite (= i1 4) 1 j)) (= c1 c)) (inv i1 j1 c1))))
(assert (forall ((i Int) (j Int) (c Int)) (=> (and (inv i j c) (= j 1)) (inv i j (+ c 1)))))
(assert (forall ((i Int) (j Int) (c Int)) (=> (and (inv i j c) (= c 2)) false)))
(check-sat)
