; Cases of a number.
; exit: 3
; expect-error: needs a term of a datatype
(set-logic HORN)
(declare-datatypes ((T 0)) (((a) (c (of Int)))))
(declare-fun p (Int) Bool)
(assert (forall ((n Int)) (=> (match n ((a true) ((c x) false))) (p n))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
