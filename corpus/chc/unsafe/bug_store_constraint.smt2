; The next array is given by a constraint on it, not by an assignment: b only has to differ from a in cell 0.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (p ((as const (Array Int Int)) 0)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (v Int))
  (=> (and (p a) (= (store b 0 v) (store a 0 v)) (> (select b 0) (select a 0))) (p b))))
(assert (forall ((a (Array Int Int))) (=> (and (p a) (= (select a 0) 17) (= (select a 1) 0)) false)))
(check-sat)
