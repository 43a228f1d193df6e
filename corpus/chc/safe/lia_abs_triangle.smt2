; Absolute values: a walk in steps of at most 1 is at most as far away as its number of steps.
; engines: kinduction
(set-logic HORN)
(declare-fun walk (Int Int) Bool)
(assert (walk 0 0))
(assert (forall ((x Int) (s Int) (d Int))
  (=> (and (walk x s) (<= (abs d) 1)) (walk (+ x d) (+ s 1)))))
(assert (forall ((x Int) (s Int)) (=> (walk x s) (<= (abs x) s))))
(check-sat)
