; A negated predicate in a body is a second head.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (not (p x)) (q x))))
(assert (forall ((x Int)) (=> (and (q x) (= x 0)) false)))
(check-sat)
