; Relations and variables of the rules dialect in assertions: the words are those of HORN.
; engines: bmc
(set-logic HORN)
(declare-rel p (Int))
(declare-var x Int)
(assert (p 0))
(assert (=> (and (p x) (< x 4)) (p (+ x 1))))
(assert (=> (and (p x) (> x 3)) false))
(check-sat)
