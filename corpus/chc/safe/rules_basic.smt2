; The rules dialect: declare-rel, declare-var, rule, query. Z3 answers unsat: the goal is not reachable.
; engines: kinduction
(declare-rel inv (Int Int))
(declare-rel fail ())
(declare-var x Int)
(declare-var y Int)
(rule (inv 0 0))
(rule (=> (and (inv x y) (< x 100)) (inv (+ x 1) (+ y 2))))
(rule (=> (and (inv x y) (not (= y (* 2 x)))) fail))
(query fail)
