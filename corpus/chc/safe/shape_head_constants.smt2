; Heads with constants, repeated variables and terms.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 0))
(assert (forall ((x Int)) (=> (>= x 0) (p x x (* 2 x)))))
(assert (forall ((x Int) (z Int)) (=> (p x x z) (p (+ x 1) (+ x 1) (+ z 2)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (and (= x y) (= z (+ x y))))))
(check-sat)
