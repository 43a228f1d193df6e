; A free constant N of the whole script. SMT-LIB wants one value of N for all clauses: safe.
; If each clause may choose its own N, the goal is reachable. A tool that reads it the second way must not answer.
(set-logic HORN)
(declare-const N Int)
(declare-fun up (Int) Bool)
(assert (=> (>= N 0) (up 0)))
(assert (forall ((x Int)) (=> (and (up x) (< x N)) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (> x N)) false)))
(check-sat)
