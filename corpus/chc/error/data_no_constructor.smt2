; A type without constructors.
; exit: 3
; expect-error: at least one constructor
(set-logic HORN)
(declare-datatypes ((T 0)) (()))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
