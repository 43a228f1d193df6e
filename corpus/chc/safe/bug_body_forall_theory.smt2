; A universal quantifier over theory terms in a goal: cell 0 always is 1, so "all cells are zero" never holds,
; although "some cell is zero" does.
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (p (store ((as const (Array Int Int)) 0) 0 1)))
(assert (forall ((a (Array Int Int)) (k Int)) (=> (and (p a) (> k 0)) (p (store a k (select a (- k 1)))))))
(assert (forall ((a (Array Int Int))) (=> (and (p a) (forall ((k Int)) (= (select a k) 0))) false)))
(check-sat)
