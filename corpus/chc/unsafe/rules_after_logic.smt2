; Commands of the rules dialect make it the rules dialect, also after a logic.
; engines: bmc
(set-logic HORN)
(declare-rel p (Int))
(declare-rel fail ())
(declare-var x Int)
(rule (p 0))
(rule (=> (and (p x) (< x 4)) (p (+ x 1))))
(rule (=> (and (p x) (> x 3)) fail))
(query fail)
