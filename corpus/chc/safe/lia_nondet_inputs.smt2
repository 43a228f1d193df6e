; Each step reads two fresh inputs; only their clamped difference is added.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((lo Int) (hi Int) (u Int) (v Int) (d Int))
  (=> (and (p lo hi) (= d (ite (> u v) (- u v) 0))) (p (- lo d) (+ hi d)))))
(assert (forall ((lo Int) (hi Int)) (=> (and (p lo hi) (> lo hi)) false)))
(check-sat)
