; A goal written with an equivalence: (= (p x) (q x)) makes every p a q, and the goal forbids q 3.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (= (p x) (q x))))
(assert (forall ((x Int)) (=> (q x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (distinct x 3))))
(check-sat)
