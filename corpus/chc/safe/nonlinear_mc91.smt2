; Non-linear clauses: McCarthy's function; for arguments up to 101 the result is 91.
(set-logic HORN)
(declare-fun mc (Int Int) Bool)
(assert (forall ((x Int)) (=> (> x 100) (mc x (- x 10)))))
(assert (forall ((x Int) (y Int) (r Int))
  (=> (and (<= x 100) (mc (+ x 11) y) (mc y r)) (mc x r))))
(assert (forall ((x Int) (r Int)) (=> (and (mc x r) (<= x 101) (not (= r 91))) false)))
(check-sat)
