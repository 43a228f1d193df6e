; A conditional over a predicate: its else branch needs the predicate to be false.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (ite (p x) (q x) (r x))))
(assert (=> (r 0) false))
(check-sat)
