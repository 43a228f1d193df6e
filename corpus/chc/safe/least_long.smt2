; engines: cells, quantified, prophecy, symbolic
; Arrays beside the least number of 64 bits: sizes of numerals were compared in 64 bits, where it has none.
(set-logic HORN)
(declare-fun fill (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (fill 0 a)))
(assert (forall ((i Int) (a (Array Int Int)) (v Int))
  (=> (and (fill i a) (< i 3) (<= (- 9223372036854775808) v) (<= v 5)) (fill (+ i 1) (store a i v)))))
(assert (forall ((i Int) (a (Array Int Int)))
  (=> (and (fill i a) (>= i 1) (> (select a 0) 5)) false)))
(check-sat)
