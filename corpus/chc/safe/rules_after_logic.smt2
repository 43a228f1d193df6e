; Commands of the rules dialect make it the rules dialect, also after a logic.
; engines: kinduction
(set-logic HORN)
(declare-rel p (Int))
(declare-rel fail ())
(declare-var x Int)
(rule (p 0))
(rule (=> (and (p x) (< x 10)) (p (+ x 1))))
(rule (=> (and (p x) (> x 10)) fail))
(query fail)
