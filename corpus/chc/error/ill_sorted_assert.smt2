; An assertion that is a number.
; exit: 3
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (+ 1 2))
(assert (=> (p 0) false))
(check-sat)
