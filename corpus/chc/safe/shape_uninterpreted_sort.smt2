; An uninterpreted sort: the marked element never changes.
; engines: kinduction
(set-logic HORN)
(declare-sort Node 0)
(declare-fun p (Node Node Int) Bool)
(assert (forall ((a Node)) (p a a 0)))
(assert (forall ((a Node) (b Node) (x Int)) (=> (p a b x) (p b a (+ x 1)))))
(assert (forall ((a Node) (b Node) (x Int)) (=> (p a b x) (= a b))))
(check-sat)
