; A string literal that does not end.
; exit: 3
(set-info :source "no end)
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (=> (p 0) false))
(check-sat)
