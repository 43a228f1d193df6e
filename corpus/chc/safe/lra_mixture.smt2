; LRA: two tanks exchange liquid; the total is constant.
; engines: kinduction
(set-logic HORN)
(declare-fun t (Real Real) Bool)
(assert (t 2.5 1.5))
(assert (forall ((a Real) (b Real) (f Real)) (=> (and (t a b) (<= f a) (<= (- f) b)) (t (- a f) (+ b f)))))
(assert (forall ((a Real) (b Real)) (=> (t a b) (and (= (+ a b) 4.0) (>= a 0.0) (>= b 0.0)))))
(check-sat)
