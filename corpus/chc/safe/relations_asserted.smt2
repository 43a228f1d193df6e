; Relations and variables of the rules dialect in assertions: the words are those of HORN.
; engines: kinduction
(set-logic HORN)
(declare-rel p (Int))
(declare-var x Int)
(assert (p 0))
(assert (=> (and (p x) (< x 10)) (p (+ x 1))))
(assert (forall ((y Int)) (=> (and (p y) (> y 10)) false)))
(check-sat)
