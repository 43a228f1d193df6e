; Two locations alternate; the parity of the counter tells which one it is.
; engines: kinduction
(set-logic HORN)
(declare-fun tick (Int) Bool)
(declare-fun tock (Int) Bool)
(assert (tick 0))
(assert (forall ((x Int)) (=> (tick x) (tock (+ x 1)))))
(assert (forall ((x Int)) (=> (tock x) (tick (+ x 1)))))
(assert (forall ((x Int)) (=> (and (tick x) (= (mod x 2) 1)) false)))
(assert (forall ((x Int)) (=> (and (tock x) (= (mod x 2) 0)) false)))
(check-sat)
