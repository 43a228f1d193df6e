; A quoted symbol without its second bar.
; exit: 3
(set-logic HORN)
(declare-fun |open (Int) Bool)
(assert (=> (open 0) false))
(check-sat)
