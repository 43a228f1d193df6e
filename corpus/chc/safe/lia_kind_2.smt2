; 2-inductive, not inductive: two registers that are handed on.
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p y (ite (> y 0) (- y 1) (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 1)) false)))
(check-sat)
