; A rule's own nondeterministic value is fresh in every step. Whoever keeps it for the whole run finds a[0] = a[1].
; engines: bmc
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (loop a 0)))
(assert (forall ((a (Array Int Int)) (i Int) (v Int)) (=> (loop a i) (loop (store a i v) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (loop a i) (>= i 2) (= (select a 0) 10) (= (select a 1) 20)) false)))
(check-sat)
