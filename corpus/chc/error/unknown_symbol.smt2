; A variable that nobody declared.
; exit: 3
; expect-error: mystery
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x mystery) (p x))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
