; BV width 8, unsigned: a saturating counter never passes its limit.
; engines: kinduction
(set-logic HORN)
(declare-fun c ((_ BitVec 8)) Bool)
(assert (c #x00))
(assert (forall ((x (_ BitVec 8))) (=> (and (c x) (bvult x #x64)) (c (bvadd x #x01)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (c x) (bvugt x #x64)) false)))
(check-sat)
