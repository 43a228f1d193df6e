; A free constant N. Unsafe for every N; a derivation for one N does not show that, so engines may give up.
(set-logic HORN)
(declare-const N Int)
(declare-fun up (Int) Bool)
(assert (up (- N 2)))
(assert (forall ((x Int)) (=> (up x) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (> x N)) false)))
(check-sat)
