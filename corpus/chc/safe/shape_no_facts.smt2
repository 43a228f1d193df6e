; No clause has an empty body: nothing is reachable.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
