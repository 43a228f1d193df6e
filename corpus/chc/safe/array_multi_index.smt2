; An array with two index sorts (a table in the manner of Z3): rows and columns at once.
; engines: kinduction
(set-logic HORN)
(declare-fun t ((Array Int Int Int)) Bool)
(assert (t ((as const (Array Int Int Int)) 0)))
(assert (forall ((a (Array Int Int Int)) (i Int) (j Int)) (=> (t a) (t (store a i j (- i i))))))
(assert (forall ((a (Array Int Int Int)) (x Int) (y Int)) (=> (and (t a) (distinct (select a x y) 0)) false)))
(check-sat)
