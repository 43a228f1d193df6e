; k-induction with too short a base case: no path has two steps, so the step case for k = 2 is vacuous.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (= x 0)) (p 1))))
(assert (forall ((x Int)) (=> (and (p x) (= x 1)) false)))
(check-sat)
