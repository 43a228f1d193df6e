; Deep bug: the goal needs 40 steps.
; engines: bmc
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y 3)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= y 120)) false)))
(check-sat)
