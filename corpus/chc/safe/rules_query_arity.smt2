; The rules dialect: the queried relation has an argument, the query an option, and two rules have names.
; engines: kinduction
(declare-rel p (Int))
(declare-rel bad (Int))
(declare-var a Int)
(declare-var b Int)
(rule (p 5) start)
(rule (=> (and (p a) (> b a)) (p b)) step)
(rule (=> (and (p a) (< a 5)) (bad a)))
(query bad :print-certificate true)
