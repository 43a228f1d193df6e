; The second half of an array repeats the first. What is known of a cell k depends on how far the counter is
; beyond k and beyond k + n, both of them terms at which the goal reads.
; engines: candidates
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int))) (fill a 0 50)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (fill a i n) (< i (* 2 n)) (= b (ite (< i n) (store a i (* 3 i)) (store a i (* 3 (- i n))))))
      (fill b (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (fill a i n) (>= i (* 2 n)) (<= 0 k) (< k n) (not (= (select a k) (select a (+ k n))))) false)))
(check-sat)
