; A command that nobody knows.
; exit: 3
; expect-error: prove-please
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (=> (p 1) false))
(prove-please)
(check-sat)
