; Nothing determines the sort of the empty list.
; exit: 3
; expect-error: not determined
(set-logic HORN)
(declare-datatypes ((Seq2 1)) ((par (T) ((empty) (add (first T) (rest (Seq2 T)))))))
(declare-fun p (Int) Bool)
(assert (=> (= empty empty) (p 0)))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
