; Scalar LIA: a counter climbs to 10, then falls to 0, driven by a Boolean mode; it stays in [0,10].
; engines: kinduction
(set-logic HORN)
(declare-fun st (Bool Int) Bool)
(assert (st true 0))
(assert (forall ((x Int)) (=> (and (st true x) (< x 10)) (st true (+ x 1)))))
(assert (forall ((x Int)) (=> (and (st true x) (= x 10)) (st false x))))
(assert (forall ((x Int)) (=> (and (st false x) (> x 0)) (st false (- x 1)))))
(assert (forall ((x Int)) (=> (and (st false x) (= x 0)) (st true x))))
(assert (forall ((m Bool) (x Int)) (=> (st m x) (and (<= 0 x) (<= x 10)))))
(check-sat)
