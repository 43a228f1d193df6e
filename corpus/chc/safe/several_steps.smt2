; A line of three cells: what comes out of the last one follows from three steps, not from one.
; engines: kinduction
(set-logic HORN)
(declare-fun line (Int Int Int) Bool)
(assert (line 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (line x y z) (line (ite (< x 0) x (+ x 1)) x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (line x y z) (< z 0)) false)))
(check-sat)
