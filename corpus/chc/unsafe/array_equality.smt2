; Two arrays that differ in one cell become equal by writing that cell.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int) (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (= a (store b 3 (+ (select b 3) 1))) (p a b))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (k Int)) (=> (p a b) (p a (store b k (select a k))))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (p a b) (= a b)) false)))
(check-sat)
