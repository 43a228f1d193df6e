; A predicate declared twice.
; exit: 3
; expect-error: twice
(set-logic HORN)
(declare-fun twice (Int) Bool)
(declare-fun twice (Int Int) Bool)
(assert (twice 0))
(assert (=> (twice 1) false))
(check-sat)
