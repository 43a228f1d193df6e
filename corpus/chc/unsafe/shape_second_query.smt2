; Two queries of which only the second can be reached.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 3)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 10)) false)))
(assert (forall ((x Int)) (=> (and (p x) (= x 9)) false)))
(check-sat)
