; A constructor with a field too few.
; exit: 3
; expect-error: takes 2 arguments
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun p (List) Bool)
(assert (p (cons 1)))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
