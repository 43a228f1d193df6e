; The init rule's own N is not the N of the other rules (there it is the name of another position).
; Reading it as the state's N makes the loop start at the right place, and the goal unreachable.
; engines: bmc
(set-logic HORN)
(declare-fun inv ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (N Int)) (inv a (- N 1) 4)))
(assert (forall ((a (Array Int Int)) (i Int) (N Int)) (=> (and (inv a i N) (>= i 0)) (inv (store a i 1) (- i 1) N))))
(assert (forall ((a (Array Int Int)) (i Int) (N Int) (z Int))
  (=> (and (inv a i N) (< i 0) (<= 0 z) (< z N) (not (= (select a z) 1))) false)))
(check-sat)
