; Exclusive or of two predicates.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (xor (p x) (q x))))
(assert (=> (p 0) false))
(check-sat)
