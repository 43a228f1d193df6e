; The parameters do not fit the arity.
; exit: 3
; expect-error: parameters
(set-logic HORN)
(declare-datatypes ((T 2)) ((par (A) ((mk (of A))))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
