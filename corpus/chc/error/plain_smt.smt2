; An ordinary SMT problem, satisfiable, and no set of Horn clauses: it must not be answered as one.
; exit: 4
; expect-error: no set of Horn clauses
(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (and (> x 3) (< (+ x y) 7)))
(assert (or (= y 2) (= y 3)))
(check-sat)
