; let in bodies and heads, with shadowing and parallel binding.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 1))
(assert (forall ((x Int) (y Int)) (=> (let ((x y) (y x)) (p y x)) (let ((s (+ x y)) (x y)) (let ((y s)) (p x y))))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (let ((z (- y x))) (>= z 0)))))
(check-sat)
