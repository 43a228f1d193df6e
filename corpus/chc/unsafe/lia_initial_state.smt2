; The goal is reached in an initial state already (depth 0).
; engines: bmc
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (< x y) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (+ x y) 7)) false)))
(check-sat)
