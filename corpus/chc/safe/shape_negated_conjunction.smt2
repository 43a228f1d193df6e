; A goal written as (not (and ...)), a fact as (or (not ...) ...), a clause as a chain of =>.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (or (not (= x 1)) (p x))))
(assert (forall ((x Int) (y Int)) (=> (p x) (> y x) (< y (+ x 3)) (p y))))
(assert (forall ((x Int)) (not (and (p x) (< x 1)))))
(check-sat)
