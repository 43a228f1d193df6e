; A free constant N. Unsafe for every N, so it does not matter how it is closed.
; engines: bmc
(set-logic HORN)
(declare-const N Int)
(declare-fun up (Int) Bool)
(assert (up (- N 2)))
(assert (forall ((x Int)) (=> (up x) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (> x N)) false)))
(check-sat)
