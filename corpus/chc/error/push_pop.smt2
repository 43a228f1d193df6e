; Assertion levels are outside the fragment.
; exit: 4
; expect-error: push
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(push 1)
(assert (=> (p 0) false))
(check-sat)
(pop 1)
(check-sat)
