; The branches of ite have different sorts.
; exit: 3
; expect-error: ite
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (p (ite (> x 0) x (< x 0)))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
