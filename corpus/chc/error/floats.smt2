; Floating-point numbers are outside the fragment.
; exit: 4
; expect-error: Float
(set-logic HORN)
(declare-fun p (Float32) Bool)
(assert (forall ((x Float32)) (=> (fp.isZero x) (p x))))
(assert (forall ((x Float32)) (=> (and (p x) (fp.isNaN x)) false)))
(check-sat)
