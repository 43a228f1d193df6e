; Boolean state only: two flags toggle together and are always equal.
; engines: kinduction
(set-logic HORN)
(declare-fun s (Bool Bool) Bool)
(assert (s false false))
(assert (forall ((a Bool) (b Bool)) (=> (s a b) (s (not a) (not b)))))
(assert (forall ((a Bool) (b Bool)) (=> (and (s a b) (xor a b)) false)))
(check-sat)
