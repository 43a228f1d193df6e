; A macro whose body mentions it: define-fun is not recursive.
; exit: 3
; expect-error: again
(set-logic HORN)
(define-fun again ((x Int)) Int (ite (> x 0) (again (- x 1)) 0))
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (again 3)) (p x))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
