; extract with the bounds the wrong way round.
; exit: 3
; expect-error: bits 2 down to 5
(set-logic HORN)
(declare-fun p ((_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 8))) (p ((_ extract 2 5) x))))
(assert (forall ((x (_ BitVec 4))) (=> (p x) false)))
(check-sat)
