; Two clocks and a limit: the second clock is started when the first one reaches the limit, both stay within.
; engines: kinduction
(set-logic HORN)
(declare-fun s (Int Int Bool) Bool)
(assert (s 0 0 false))
(assert (forall ((a Int) (b Int)) (=> (and (s a b false) (< a 10)) (s (+ a 1) b false))))
(assert (forall ((a Int) (b Int)) (=> (and (s a b false) (= a 10)) (s a 0 true))))
(assert (forall ((a Int) (b Int)) (=> (and (s a b true) (< b a)) (s a (+ b 1) true))))
(assert (forall ((a Int) (b Int)) (=> (and (s a b true) (= b a)) (s 0 0 false))))
(assert (forall ((a Int) (b Int) (m Bool)) (=> (and (s a b m) (or (> b 10) (> a 10))) false)))
(check-sat)
