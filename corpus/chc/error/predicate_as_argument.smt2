; A predicate as the Boolean argument of another one.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Bool) Bool)
(assert (p 0))
(assert (forall ((x Int)) (q (p x))))
(assert (=> (q false) false))
(check-sat)
