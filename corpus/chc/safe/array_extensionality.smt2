; Two writes in either order make equal arrays: equality of arrays must be used in both directions.
; engines: ic3ia
(set-logic HORN)
(declare-fun inv ((Array Int Int) (Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (=> (= a b) (inv a b n))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int) (i Int) (j Int) (x Int) (y Int))
  (=> (and (inv a b n) (not (= i j)))
      (inv (store (store a i x) j y) (store (store b j y) i x) (+ n 1)))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int)) (=> (and (inv a b n) (not (= a b))) false)))
(check-sat)
