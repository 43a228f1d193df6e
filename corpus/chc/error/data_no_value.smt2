; A type all of whose constructors contain it has no finite value.
; exit: 3
; expect-error: no finite value
(set-logic HORN)
(declare-datatypes ((T 0)) (((mk (of T)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
