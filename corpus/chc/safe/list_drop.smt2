; Leaving out cells twice and at once: a function that no clause defines below zero. The invariant is that
; what is left of `x` after `n` cells, less `k` cells, is `x` less `n + k` cells, for all k from 0 on.
; engines: functions
(set-logic HORN)
(declare-datatypes ((list 0)) (((nil) (cons (hd Int) (tl list)))))
(declare-fun drop (Int list list) Bool)
(assert (forall ((n Int)) (drop n nil nil)))
(assert (forall ((x list)) (drop 0 x x)))
(assert (forall ((n Int) (h Int) (x list) (y list))
  (=> (and (drop n x y) (<= 0 n)) (drop (+ n 1) (cons h x) y))))
(assert (forall ((m Int) (n Int) (x list) (y list) (z list) (u list))
  (=> (and (drop m x y) (drop n y z) (drop (+ m n) x u) (<= 0 m) (<= 0 n) (not (= z u))) false)))
(check-sat)
