; No clause has false as its head: there is nothing to decide.
; engines: kinduction,candidates
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(check-sat)
