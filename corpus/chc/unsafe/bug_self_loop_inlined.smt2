; A chain of predicates of which one in the middle has a loop of its own; removing it must keep the loop.
; engines: bmc
(set-logic HORN)
(declare-fun a (Int) Bool)
(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)
(assert (a 0))
(assert (forall ((x Int)) (=> (a x) (b x))))
(assert (forall ((x Int)) (=> (and (b x) (< x 3)) (b (+ x 1)))))
(assert (forall ((x Int)) (=> (b x) (c (* 10 x)))))
(assert (forall ((x Int)) (=> (and (c x) (= x 30)) false)))
(check-sat)
