; A selector with the name of a constructor.
; exit: 3
; expect-error: declared twice
(set-logic HORN)
(declare-datatypes ((T 0)) (((mk (mk Int)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
