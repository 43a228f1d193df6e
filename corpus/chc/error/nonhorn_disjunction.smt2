; A fact that is a disjunction of two predicates.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (or (p 1) (q 2)))
(assert (=> (p 1) false))
(assert (=> (q 2) false))
(check-sat)
