; A number goes up by 2 from 0 and from 4998 back to 1.
; Finding out what its remainder can be, Z3's light arithmetic may lose its way in a single query.
; engines: ic3ia
(set-logic HORN)
(declare-fun at (Int) Bool)
(assert (at 0))
(assert (forall ((n Int) (m Int))
  (=> (and (at n) (= m (ite (= n 4998) 1 (+ n 2)))) (at m))))
(assert (forall ((n Int))
  (=> (and (at n) (< 4996 n) (= (mod n 4) 0)) false)))
(check-sat)
