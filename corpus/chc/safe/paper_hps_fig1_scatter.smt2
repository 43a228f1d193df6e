; Vick and McMillan, Synthesizing History and Prophecy Variables, Fig. 1: array scattering.
; a is filled with non-negative values, then b with cells of a picked by an unknown function.
; Conditional history: the index of a that went into the goal's cell of b.
(set-logic HORN)
(declare-fun fill ((Array Int Int) (Array Int Int) Int Int) Bool)
(declare-fun scatter ((Array Int Int) (Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (N Int)) (fill a b 0 N)))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (N Int))
  (=> (and (fill a b i N) (< i N)) (fill (store a i i) b (+ i 1) N))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (N Int))
  (=> (and (fill a b i N) (>= i N)) (scatter a b 0 N))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (N Int) (x Int))
  (=> (and (scatter a b i N) (< i N) (<= 0 x) (< x N)) (scatter a (store b i (select a x)) (+ i 1) N))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (N Int) (j Int))
  (=> (and (scatter a b i N) (>= i N) (<= 0 j) (< j N) (< (select b j) 0)) false)))
(check-sat)
