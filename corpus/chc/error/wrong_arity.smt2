; A predicate of two places with one argument.
; exit: 3
; expect-error: pair
(set-logic HORN)
(declare-fun pair (Int Int) Bool)
(assert (pair 0 0))
(assert (forall ((x Int)) (=> (pair x) false)))
(check-sat)
