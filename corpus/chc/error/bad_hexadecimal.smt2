; A hexadecimal literal without digits.
; exit: 3
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (p #xgg))
(assert (=> (p #x00) false))
(check-sat)
