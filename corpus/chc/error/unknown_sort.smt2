; A sort that nobody declared.
; exit: 3
; expect-error: Colour
(set-logic HORN)
(declare-fun p (Colour) Bool)
(assert (forall ((x Colour)) (p x)))
(assert (forall ((x Colour)) (=> (p x) false)))
(check-sat)
