; An integer plus a Boolean.
; exit: 3
; expect-error: Bool
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int) (b Bool)) (=> (= x (+ 1 b)) (p x))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
