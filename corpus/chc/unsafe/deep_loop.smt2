; Ten thousand steps without a choice, then the goal: x rises while y falls and rises again.
; engines: simulate
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (= n 5000) (p 0 n n))))
(assert (forall ((x Int) (y Int) (n Int))
  (=> (p x y n) (p (+ x 1) (ite (< x n) (- y 1) (+ y 1)) n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (p x y n) (= y n) (= x (* 2 n))) false)))
(check-sat)
