; BV width 16, signed: a positive number becomes negative by adding positive numbers.
; engines: bmc
(set-logic HORN)
(declare-fun p ((_ BitVec 16)) Bool)
(assert (p #x0001))
(assert (forall ((x (_ BitVec 16)) (d (_ BitVec 16))) (=> (and (p x) (bvsgt d #x0000)) (p (bvadd x d)))))
(assert (forall ((x (_ BitVec 16))) (=> (and (p x) (bvslt x #x0000)) false)))
(check-sat)
