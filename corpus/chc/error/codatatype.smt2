; Infinite data types.
; exit: 4
; expect-error: infinite data types
(set-logic HORN)
(declare-codatatypes ((T 0)) (((mk (of T)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
