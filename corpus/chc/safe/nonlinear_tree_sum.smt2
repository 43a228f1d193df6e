; Non-linear: a tree with non-negative leaves has a non-negative sum, at most its number of leaves times 5.
(set-logic HORN)
(declare-fun tree (Int Int) Bool)
(assert (forall ((v Int)) (=> (and (<= 0 v) (<= v 5)) (tree 1 v))))
(assert (forall ((m Int) (n Int) (l Int) (r Int)) (=> (and (tree m l) (tree n r)) (tree (+ m n) (+ l r)))))
(assert (forall ((n Int) (s Int)) (=> (tree n s) (and (>= s 0) (<= s (* 5 n))))))
(check-sat)
