; BV width 32: multiplication overflows, so a square can be smaller than its root.
; engines: bmc
(set-logic HORN)
(declare-fun p ((_ BitVec 32)) Bool)
(assert (p #x00000003))
(assert (forall ((x (_ BitVec 32))) (=> (p x) (p (bvmul x x)))))
(assert (forall ((x (_ BitVec 32))) (=> (and (p x) (bvslt x #x00000000)) false)))
(check-sat)
