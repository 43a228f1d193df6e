; Deep bug: the goal needs 100 steps, each of which may choose to stay where it is.
; engines: bmc
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (inv 0))
(assert (forall ((x Int) (d Int)) (=> (and (inv x) (<= 0 d) (<= d 1)) (inv (+ x d)))))
(assert (forall ((x Int)) (=> (and (inv x) (= x 100)) false)))
(check-sat)
