; Vick and McMillan, Synthesizing History and Prophecy Variables, Fig. 9 (appendix), as Horn clauses.
(set-logic HORN)
(declare-fun s ((Array Int Int) (Array Int Int)) Bool)
(assert (s ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 1)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (x Int) (y Int))
  (=> (s a b) (s (store a x 1) (store b y (select a x))))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (z Int)) (=> (and (s a b) (> (select b z) 1)) false)))
(check-sat)
