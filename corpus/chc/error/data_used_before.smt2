; A predicate over a type that is declared after it.
; exit: 3
; expect-error: unknown sort `T`
(set-logic HORN)
(declare-fun p (T) Bool)
(declare-datatypes ((T 0)) (((mk (of Int)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
