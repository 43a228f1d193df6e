; Two types that need each other have no finite value.
; exit: 3
; expect-error: no finite value
(set-logic HORN)
(declare-datatypes ((A 0) (B 0)) (((mka (b B))) ((mkb (a A) (n Int)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
