; Macros: define-fun with parameters, a macro of macros, and a macro that contains a predicate.
; engines: kinduction
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(define-fun step ((x Int)) Int (+ x 1))
(define-fun twice ((x Int)) Int (step (step x)))
(define-fun good ((x Int) (y Int)) Bool (= y (* 2 x)))
(define-fun here ((x Int) (y Int)) Bool (and (inv x y) (< x 1000)))
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (here x y) (inv (step x) (twice y)))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (good x y))))
(check-sat)
