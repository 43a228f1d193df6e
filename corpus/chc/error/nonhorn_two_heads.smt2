; A clause with two positive predicates is not Horn.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (or (q x) (r x)))))
(assert (forall ((x Int)) (=> (and (q x) (r x)) false)))
(check-sat)
