; Vick and McMillan, Synthesizing History and Prophecy Variables, Fig. 2: array summing.
; The sum of non-negative cells is non-negative; the capture condition comes from an interpolant (j >= 0).
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
(declare-fun sum ((Array Int Int) Int Int Int) Bool)
(assert (forall ((a (Array Int Int)) (N Int)) (fill a 0 N)))
(assert (forall ((a (Array Int Int)) (i Int) (N Int)) (=> (and (fill a i N) (< i N)) (fill (store a i i) (+ i 1) N))))
(assert (forall ((a (Array Int Int)) (i Int) (N Int)) (=> (and (fill a i N) (>= i N)) (sum a 0 0 N))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (N Int))
  (=> (and (sum a i j N) (< i N)) (sum a (+ i 1) (+ j (select a i)) N))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (N Int)) (=> (and (sum a i j N) (>= i N) (< j 0)) false)))
(check-sat)
