; BV width 8: adding 64 four times wraps to zero.
; engines: bmc
(set-logic HORN)
(declare-fun c ((_ BitVec 8) Bool) Bool)
(assert (c #x00 false))
(assert (forall ((x (_ BitVec 8)) (m Bool)) (=> (c x m) (c (bvadd x #x40) true))))
(assert (forall ((x (_ BitVec 8)) (m Bool)) (=> (and (c x m) m (= x #x00)) false)))
(check-sat)
