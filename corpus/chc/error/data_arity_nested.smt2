; A parametric type with two parameters where it has one.
; exit: 3
; expect-error: takes 1 arguments
(set-logic HORN)
(declare-datatypes ((Seq2 1)) ((par (T) ((empty) (add (first T) (rest (Seq2 T T)))))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
