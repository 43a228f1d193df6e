; A list that starts empty is empty.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))
(declare-fun p (Lst) Bool)
(assert (p nil))
(assert (forall ((l Lst)) (=> (p l) (p (cons 1 l)))))
(assert (forall ((l Lst)) (=> (and (p l) (= l (cons 1 (cons 1 nil)))) false)))
(check-sat)
