; Bit vectors of different widths added.
; exit: 3
; expect-error: bvadd
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 4))) (p (bvadd x y))))
(assert (forall ((x (_ BitVec 8))) (=> (p x) false)))
(check-sat)
