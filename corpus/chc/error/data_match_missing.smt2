; A case is missing.
; exit: 3
; expect-error: no case for constructor `b`
(set-logic HORN)
(declare-datatypes ((T 0)) (((a) (b) (c (of Int)))))
(declare-fun p (T) Bool)
(assert (forall ((t T)) (=> (match t ((a true) ((c x) (> x 0)))) (p t))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
