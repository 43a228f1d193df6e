; The goal reads two cells whose indices depend on each other: a[a[z]].
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (p a 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (< i 5)) (p (store a i (- 4 i)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (z Int)) (=> (and (p a i) (= i 5) (< 1 z 5) (= (select a (select a z)) z) (= (select a z) 0)) false)))
(check-sat)
