; Variables called x, x1 and x' used against their grain: x1 is the old value, x the new one.
; engines: kinduction
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x1 Int)) (=> (= x1 10) (inv x1))))
(assert (forall ((x Int) (x1 Int) (|x'| Int)) (=> (and (inv x1) (= x (- x1 |x'|)) (<= |x'| 0)) (inv x))))
(assert (forall ((x1 Int)) (=> (and (inv x1) (< x1 10)) false)))
(check-sat)
