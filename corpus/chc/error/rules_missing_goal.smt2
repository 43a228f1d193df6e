; The rules dialect without a query and without a relation called fail.
; exit: 3
(declare-rel p (Int))
(declare-var x Int)
(rule (p 0))
(rule (=> (p x) (p (+ x 1))))
