; Two rules enabled in the same state are a choice. If both must happen at once, the state has no successor.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 3)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 4)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 11)) false)))
(check-sat)
