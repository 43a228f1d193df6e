; The goal is reachable, but only with numbers of 17 digits that no solver finds: 42 is a sum of three cubes,
; (-80538738812075974)^3 + 80435758145817515^3 + 12602123297335631^3.
; A solver answers "unknown", and whoever reads that as "no" calls the system safe.
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (p x y z)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= (+ (* x x x) (* y y y) (* z z z)) 42)) false)))
(check-sat)
