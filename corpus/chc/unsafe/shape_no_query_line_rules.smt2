; The rules dialect without a query line: the relation fail is the goal, and it is reached.
; engines: bmc
(declare-rel p (Int))
(declare-rel fail ())
(declare-var x Int)
(rule (p 0))
(rule (=> (p x) (p (+ x 1))))
(rule (=> (and (p x) (> x 7)) fail))
