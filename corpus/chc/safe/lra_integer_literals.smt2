; Reals written with integer literals, as many files have it.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Real Real) Bool)
(assert (p 0 1))
(assert (forall ((x Real) (y Real)) (=> (p x y) (p (+ x (/ 1 2)) (+ y (* 2 0.25))))))
(assert (forall ((x Real) (y Real)) (=> (and (p x y) (not (= (- y x) 1))) false)))
(check-sat)
