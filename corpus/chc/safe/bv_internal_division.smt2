; Z3's own names for the divisions mean the divisions of the standard, also by zero.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 4) (_ BitVec 4)) Bool)
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (p x y)))
(assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)))
  (=> (and (p x y) (not (and (= (bvudiv_i x y) (bvudiv x y)) (= (bvurem_i x y) (bvurem x y))
    (= (bvsdiv_i x y) (bvsdiv x y)) (= (bvsrem_i x y) (bvsrem x y))
    (= (bvsmod_i x y) (bvsmod x y))))) false)))
(check-sat)
