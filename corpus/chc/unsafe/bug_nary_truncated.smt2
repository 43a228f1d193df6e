; Sums, conjunctions and disjunctions with five arguments; cutting them to two or three changes the verdict.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int))
  (=> (and (p x y) (or (= x 90) (= x 80) (= x 70) (= x 60) (= x 0))) (p (+ x 1 1 1 4) (+ y 1 0 0 10)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 0) (>= y 0) (= x 7) (= y 11)) false)))
(check-sat)
