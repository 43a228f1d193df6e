; A predicate that nobody declared.
; exit: 3
; expect-error: q
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (q x) (p x))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
