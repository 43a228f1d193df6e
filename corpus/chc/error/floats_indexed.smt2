; Floating-point sorts with explicit widths.
; exit: 4
; expect-error: FloatingPoint
(set-logic HORN)
(declare-fun p ((_ FloatingPoint 8 24)) Bool)
(assert (forall ((x (_ FloatingPoint 8 24))) (p x)))
(assert (forall ((x (_ FloatingPoint 8 24))) (=> (p x) false)))
(check-sat)
