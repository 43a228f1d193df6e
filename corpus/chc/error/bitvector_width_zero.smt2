; Bit vectors have at least one bit.
; exit: 3
; expect-error: bit
(set-logic HORN)
(declare-fun p ((_ BitVec 0)) Bool)
(assert (forall ((x (_ BitVec 0))) (p x)))
(assert (forall ((x (_ BitVec 0))) (=> (p x) false)))
(check-sat)
