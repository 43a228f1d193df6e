; Z3's own names for the divisions; the quotient by zero is all ones.
; engines: bmc
(set-logic HORN)
(declare-fun p ((_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4))) (=> (= x (bvsdiv_i #b1000 #b0010)) (p x))))
(assert (forall ((x (_ BitVec 4))) (=> (p x) (p (bvudiv_i x #b0000)))))
(assert (forall ((x (_ BitVec 4))) (=> (and (p x) (= (bvurem_i x #b0100) #b0011)) false)))
(check-sat)
