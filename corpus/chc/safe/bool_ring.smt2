; Boolean state: one token circulates among four places; never two at once.
; engines: kinduction
(set-logic HORN)
(declare-fun ring (Bool Bool Bool Bool) Bool)
(assert (ring true false false false))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (ring a b c d) (ring d a b c))))
(assert (forall ((a Bool) (b Bool) (c Bool) (d Bool)) (=> (and (ring a b c d)
   (or (and a b) (and a c) (and a d) (and b c) (and b d) (and c d))) false)))
(check-sat)
