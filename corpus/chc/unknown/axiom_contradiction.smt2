; No function satisfies the axioms: whatever is proved for all that do is no model.
(set-logic HORN)
(declare-fun f (Int) Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (> (f x) 0)))
(assert (forall ((x Int)) (< (f (f x)) 0)))
(assert (forall ((x Int)) (=> (> x 0) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (<= x 0)) false)))
(check-sat)
