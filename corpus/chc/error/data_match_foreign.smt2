; A case of a constructor of another type.
; exit: 3
; expect-error: is no constructor of
(set-logic HORN)
(declare-datatypes ((T 0) (U 0)) (((a) (c (of Int))) ((d) (e (at Int)))))
(declare-fun p (T) Bool)
(assert (forall ((t T)) (=> (match t ((a true) ((e x) (> x 0)) ((c x) false))) (p t))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
