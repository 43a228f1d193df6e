; Duplicate clauses, facts and goals; the verdict must not depend on them (here: unsafe).
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (p a 0)))
(assert (forall ((a (Array Int Int))) (p a 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (p (store a i 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (p (store a i 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= (select a 0) 1) (= (select a 1) 1)) false)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (= (select a 0) 1) (= (select a 1) 1)) false)))
(check-sat)
