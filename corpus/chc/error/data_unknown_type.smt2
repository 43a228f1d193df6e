; A variable of a type that nobody declares.
; exit: 3
; expect-error: unknown sort `Tree`
(set-logic HORN)
(declare-datatypes ((List 0)) (((nil) (cons (hd Int) (tl List)))))
(declare-fun p (List) Bool)
(assert (forall ((x List) (t Tree)) (=> (p x) (p (cons 1 x)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
