; Non-linear: a caller and a recursive summing function; sum(4) + sum(2) = 13.
; engines: bmc
(set-logic HORN)
(declare-fun sum (Int Int) Bool)
(assert (sum 0 0))
(assert (forall ((n Int) (s Int)) (=> (and (> n 0) (sum (- n 1) s)) (sum n (+ n s)))))
(assert (forall ((s Int) (t Int)) (=> (and (sum 4 s) (sum 2 t)) (not (= (+ s t) 13)))))
(check-sat)
