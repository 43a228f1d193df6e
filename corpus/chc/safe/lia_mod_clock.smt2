; Scalar LIA with mod: a clock of twelve hours, in which mod wraps the count.
; engines: kinduction
(set-logic HORN)
(declare-fun hour (Int) Bool)
(assert (forall ((h Int)) (=> (= h 9) (hour h))))
(assert (forall ((h Int)) (=> (hour h) (hour (mod (+ h 5) 12)))))
(assert (forall ((h Int)) (=> (and (hour h) (not (and (<= 0 h) (<= h 11)))) false)))
(check-sat)
