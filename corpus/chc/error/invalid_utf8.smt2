; A quoted symbol with a byte that is no UTF-8.
; exit: 3
(set-logic HORN)
(declare-fun |café| (Int) Bool)
(assert (|café| 0))
(assert (=> (|café| 1) false))
(check-sat)
