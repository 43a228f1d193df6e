; Two cells are swapped again and again; together they hold the same two values, so their sum is fixed.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (and (= (select a 0) 4) (= (select a 1) 9)) (p a))))
(assert (forall ((a (Array Int Int))) (=> (p a) (p (store (store a 0 (select a 1)) 1 (select a 0))))))
(assert (forall ((a (Array Int Int))) (=> (and (p a) (not (= (+ (select a 0) (select a 1)) 13))) false)))
(check-sat)
