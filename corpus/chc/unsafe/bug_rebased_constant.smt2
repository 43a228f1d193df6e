; engines: bmc,lazy_annotation,candidates
; A constant array that was written to has not the same cell everywhere: counted from 2, its written cell
; is at -2, not at 0. Left where it was, the second step seemed to follow from the first one.
(set-logic HORN)
(declare-fun full ((Array Int Bool) Int) Bool)
(declare-fun seen (Int Int) Bool)
(assert (full (store ((as const (Array Int Bool)) false) 0 true) 2))
(assert (forall ((i Int) (j Int)) (=> (seen i j) (seen 0 i))))
(assert (forall ((i Int) (j Int)) (=> (seen i j) (full ((as const (Array Int Bool)) false) 0))))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (and (full a i) (select a i)) (seen i 0))))
(assert (forall ((a (Array Int Bool)) (i Int)) (=> (full a i) false)))
(check-sat)
