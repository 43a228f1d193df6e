; Variables called i, i1, i2 that have nothing to do with "the next i": the positions decide, not the names.
; engines: bmc
(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((i1 Int) (i Int)) (=> (and (= i1 5) (= i 1)) (inv i1 i))))
(assert (forall ((i Int) (i1 Int)) (=> (inv i i1) (inv i1 (+ i i1)))))
(assert (forall ((i2 Int) (i Int) (i1 Int)) (=> (and (inv i2 i1) (= i2 7) (= i1 13)) false)))
(check-sat)
