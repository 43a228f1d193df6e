; A universal quantifier over theory terms in a goal: p a and all cells zero. It holds at once.
; Reading it as an existential one, or dropping it, gives other systems; see the safe file of this name.
(set-logic HORN)
(declare-fun p ((Array Int Int)) Bool)
(assert (p ((as const (Array Int Int)) 0)))
(assert (forall ((a (Array Int Int)) (k Int)) (=> (p a) (p (store a k 1)))))
(assert (forall ((a (Array Int Int))) (=> (and (p a) (forall ((k Int)) (= (select a k) 0))) false)))
(check-sat)
