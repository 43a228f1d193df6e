; select with one argument.
; exit: 3
; expect-error: select
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((a (Array Int Int))) (p (select a))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
