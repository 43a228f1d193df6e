; A pattern with too few variables.
; exit: 3
; expect-error: has 1 fields
(set-logic HORN)
(declare-datatypes ((T 0)) (((a) (c (of Int)))))
(declare-fun p (T) Bool)
(assert (forall ((t T)) (=> (match t ((a true) (c false))) (p t))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
