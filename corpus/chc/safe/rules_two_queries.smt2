; The rules dialect with two queries; neither goal is reachable.
; engines: kinduction
(declare-rel p (Int))
(declare-rel low ())
(declare-rel odd ())
(declare-var x Int)
(rule (p 4))
(rule (=> (p x) (p (+ x 4))))
(rule (=> (and (p x) (< x 4)) low))
(rule (=> (and (p x) (= (mod x 2) 1)) odd))
(query low)
(query odd)
