; A field of a sort that is declared later.
; exit: 3
; expect-error: unknown sort
(set-logic HORN)
(declare-datatypes ((T 0)) (((mk (of U)))))
(declare-datatypes ((U 0)) (((mku (ofu Int)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
