; Every instance needs a larger one.
; exit: 4
; expect-error: no end
(set-logic HORN)
(declare-datatypes ((N 1)) ((par (T) ((leaf (at T)) (node (of (N (N T))))))))
(declare-fun p ((N Int)) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
