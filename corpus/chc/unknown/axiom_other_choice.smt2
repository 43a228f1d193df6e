; Safe for functions above 10, unsafe for others that satisfy the axiom: a derivation about one function is
; no answer about all.
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (> (f x) 0)))
(assert (forall ((x Int)) (p (f x))))
(assert (forall ((x Int)) (=> (and (p x) (<= x 10)) false)))
(check-sat)
