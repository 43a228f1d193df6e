; The head of the empty list may be any number: safe must hold for all, unsafe must not rest on one.
(set-logic HORN)
(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))
(declare-fun p (Lst) Bool)
(assert (p nil))
(assert (forall ((l Lst)) (=> (and (p l) (= (head l) 0)) false)))
(check-sat)
