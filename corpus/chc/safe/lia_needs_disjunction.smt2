; x alternates between 1 and -1; a convex invariant cannot exclude 0.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (- x)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))
(check-sat)
