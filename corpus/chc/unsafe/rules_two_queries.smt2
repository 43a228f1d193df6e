; The rules dialect with two queries; the second goal is reachable.
; engines: bmc
(declare-rel p (Int))
(declare-rel low ())
(declare-rel high ())
(declare-var x Int)
(declare-var y Int)
(rule (p 0))
(rule (=> (and (p x) (= y (+ x 2))) (p y)))
(rule (=> (and (p x) (< x 0)) low))
(rule (=> (and (p x) (> x 10)) high))
(query low)
(query high)
