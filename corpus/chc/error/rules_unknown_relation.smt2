; The rules dialect: the query names a relation that was not declared.
; exit: 3
; expect-error: oops
(declare-rel p (Int))
(declare-var x Int)
(rule (p 0))
(rule (=> (p x) (p (+ x 1))))
(query oops)
