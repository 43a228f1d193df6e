; Algebraic data types are outside the fragment.
; exit: 4
; expect-error: declare-datatypes
(set-logic HORN)
(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))
(declare-fun p (Lst) Bool)
(assert (p nil))
(assert (forall ((l Lst)) (=> (p l) (p (cons 1 l)))))
(assert (forall ((l Lst)) (=> (and (p l) (= l nil)) false)))
(check-sat)
