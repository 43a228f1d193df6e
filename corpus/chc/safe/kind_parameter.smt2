; Inductive with what the first states say of an argument that never changes, and not without it.
; engines: kinduction
(set-logic HORN)
(declare-fun loop (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 2) (loop n n))))
(assert (forall ((n Int) (x Int)) (=> (loop n x) (loop n (+ x (div n 2))))))
(assert (forall ((n Int) (x Int)) (=> (and (loop n x) (<= x 2)) false)))
(check-sat)
