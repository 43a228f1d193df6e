; p is the complement of q: one direction has two heads.
; exit: 4
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (= (p x) (not (q x)))))
(assert (=> (p 0) false))
(check-sat)
