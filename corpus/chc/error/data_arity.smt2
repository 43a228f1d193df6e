; A constructor with a field too many.
; exit: 3
; expect-error: takes 1 argument
(set-logic HORN)
(declare-datatypes ((T 0)) (((mk (of Int)))))
(declare-fun p (T) Bool)
(assert (p (mk 1 2)))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
