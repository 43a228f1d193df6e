; The counterexample needs numbers above 2^64: an input must be 10^30 + 7.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int) (d Int)) (=> (p x) (p (+ x d)))))
(assert (forall ((x Int)) (=> (and (p x) (= (* 3 x) 3000000000000000000000000000021)) false)))
(check-sat)
