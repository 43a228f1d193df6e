; More names than types.
; exit: 3
; expect-error: names for
(set-logic HORN)
(declare-datatypes ((A 0) (B 0)) (((mka (b Int)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
