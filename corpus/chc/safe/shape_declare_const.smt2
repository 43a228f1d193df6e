; A free constant N of the whole script. Safe for every N, so it does not matter how it is closed.
(set-logic HORN)
(declare-const N Int)
(declare-fun up (Int) Bool)
(assert (=> (>= N 0) (up 0)))
(assert (forall ((x Int)) (=> (and (up x) (< x N)) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (> x N)) false)))
(check-sat)
