; One closing parenthesis too many.
; exit: 3
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0)))
(assert (=> (p 1) false))
(check-sat)
