; An array where the predicate wants an integer.
; exit: 3
; expect-error: Array
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((a (Array Int Int))) (p a)))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
