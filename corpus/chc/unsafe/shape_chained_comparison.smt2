; (< a b c) is a < b and b < c, not (a < b) < c; (distinct a b c) is pairwise.
; engines: bmc
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (p 1 1 1))
(assert (forall ((a Int) (b Int) (c Int)) (=> (p a b c) (p a (+ b 1) (+ c 2)))))
(assert (forall ((a Int) (b Int) (c Int)) (=> (and (p a b c) (< a b c) (distinct a b c)) false)))
(check-sat)
