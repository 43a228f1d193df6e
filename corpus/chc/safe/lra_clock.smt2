; LRA: a clock advances by real steps of at most 1/2 while it is below 1; it never passes 3/2.
; engines: kinduction
(set-logic HORN)
(declare-fun clock (Real) Bool)
(assert (clock 0.0))
(assert (forall ((t Real) (d Real))
  (=> (and (clock t) (< t 1.0) (<= 0.0 d) (<= d (/ 1.0 2.0))) (clock (+ t d)))))
(assert (forall ((t Real)) (=> (and (clock t) (> t 1.5)) false)))
(check-sat)
