; The rules dialect without a query and without a relation called fail.
; engines: kinduction,candidates
(declare-rel p (Int))
(declare-var x Int)
(rule (p 0))
(rule (=> (p x) (p (+ x 1))))
