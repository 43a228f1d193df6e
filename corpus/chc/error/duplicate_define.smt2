; A macro with the name of a predicate.
; exit: 3
; expect-error: taken
(set-logic HORN)
(declare-fun taken (Int) Bool)
(define-fun taken ((x Int)) Bool (> x 0))
(assert (taken 0))
(assert (=> (taken 1) false))
(check-sat)
