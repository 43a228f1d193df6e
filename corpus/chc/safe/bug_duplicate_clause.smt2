; Duplicate clauses, facts and goals; the verdict must not depend on them (here: safe).
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 0) (p a 1))))
(assert (forall ((b (Array Int Int))) (=> (= (select b 0) 0) (p b 1))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (> i 0)) (p (store a i 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (> i 0)) (p (store a i 1) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (or (= (select a 0) 1) (<= i 0))) false)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (p a i) (or (= (select a 0) 1) (<= i 0))) false)))
(check-sat)
