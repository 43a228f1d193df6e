; A selector of two terms.
; exit: 3
; expect-error: takes 1 argument
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun p (List) Bool)
(assert (forall ((x List) (y List)) (=> (= (hd x y) 1) (p x))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
