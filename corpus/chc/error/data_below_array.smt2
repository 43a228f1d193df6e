; A type that contains itself below an array.
; exit: 4
; expect-error: below an array
(set-logic HORN)
(declare-datatypes ((T 0)) (((leaf) (node (kids (Array Int T))))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
