; A symbol with a control character is refused by the reader as by the checker.
; exit: 3
; expect-error: control character
(set-logic HORN)
(declare-fun |p| (Int) Bool)
(assert (forall ((x Int)) (=> (|p| x) false)))
(check-sat)
