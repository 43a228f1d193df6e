; Recursive functions are outside the fragment.
; exit: 4
; expect-error: define-fun-rec
(set-logic HORN)
(define-fun-rec fact ((n Int)) Int (ite (<= n 0) 1 (* n (fact (- n 1)))))
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (fact 3)) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))
(check-sat)
