; engines: bmc,predicate_abstraction
; A query that needs no fact: `false` follows from the constraint alone, whatever p is.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(assert (forall ((y Int)) (=> (= (* 2 y) 6) false)))
(check-sat)
