; BV width 8: division by zero is defined for bit vectors (all ones, and the dividend as remainder).
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (p x)))
(assert (forall ((x (_ BitVec 8))) (=> (p x)
  (and (= (bvudiv x #x00) #xff) (= (bvurem x #x00) x)
       (= x (bvadd (bvmul #x05 (bvudiv x #x05)) (bvurem x #x05)))
       (= (bvsdiv x #x00) (ite (bvslt x #x00) #x01 #xff)) (= (bvsrem x #x00) x)))))
(check-sat)
