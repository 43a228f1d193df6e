; Mann et al., Counterexample-Guided Prophecy, Sec. 5.2, as Horn clauses: every cell stays non-negative.
(set-logic HORN)
(declare-fun s ((Array Int Int)) Bool)
(assert (s ((as const (Array Int Int)) 0)))
(assert (forall ((a (Array Int Int)) (i0 Int) (i1 Int)) (=> (s a) (s (store a i0 (+ (select a i1) 1))))))
(assert (forall ((a (Array Int Int)) (ir Int)) (=> (and (s a) (< (select a ir) 0)) false)))
(check-sat)
