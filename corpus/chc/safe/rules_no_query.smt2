; The rules dialect without a query line: the relation called fail is the goal.
; engines: kinduction
(set-option :fp.engine spacer)
(declare-rel loop (Int))
(declare-rel fail ())
(declare-var i Int)
(declare-var j Int)
(rule (=> (= i 0) (loop i)))
(rule (=> (and (loop i) (= j (+ i 3))) (loop j)))
(rule (=> (and (loop i) (= (mod i 3) 2)) fail))
