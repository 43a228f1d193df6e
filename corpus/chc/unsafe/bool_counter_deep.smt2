; Boolean state: a five-bit binary counter shows all ones after 31 steps.
; engines: bmc
(set-logic HORN)
(declare-fun c (Bool Bool Bool Bool Bool) Bool)
(assert (c false false false false false))
(assert (forall ((a Bool) (b Bool) (d Bool) (e Bool) (f Bool)) (=> (c a b d e f)
  (c (not a) (xor b a) (xor d (and a b)) (xor e (and a b d)) (xor f (and a b d e))))))
(assert (forall ((a Bool) (b Bool) (d Bool) (e Bool) (f Bool)) (=> (and (c a b d e f) a b d e f) false)))
(check-sat)
