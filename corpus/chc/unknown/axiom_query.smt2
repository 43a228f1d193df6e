; A query about a function alone: it can be reached for some meanings of f and not for others.
(declare-fun f (Int) Int)
(declare-rel p (Int))
(declare-var x Int)
(rule (p 0))
(rule (=> (and (p x) (< x 5)) (p (+ x 1))))
(query (> (f 0) 5))
