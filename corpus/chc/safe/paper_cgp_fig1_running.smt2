; Mann et al., Counterexample-Guided Prophecy, Fig. 1(a): the running example as Horn clauses.
; Indices and write data are fresh in every step; the index that is read belongs to the step.
(set-logic HORN)
(declare-fun s ((Array Int Int) Int) Bool)
(assert (forall ((dr Int)) (=> (< dr 200) (s ((as const (Array Int Int)) 0) dr))))
(assert (forall ((a (Array Int Int)) (dr Int) (ir Int) (iw Int) (dw Int))
  (=> (s a dr) (s (ite (< dw 200) (store a iw dw) a) (select a ir)))))
(assert (forall ((a (Array Int Int)) (dr Int)) (=> (and (s a dr) (not (< dr 200))) false)))
(check-sat)
