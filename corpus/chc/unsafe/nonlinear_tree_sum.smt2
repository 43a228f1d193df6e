; Non-linear: the sum of a binary tree of ones of height 3 is 8.
; engines: bmc
(set-logic HORN)
(declare-fun tree (Int Int) Bool)
(assert (tree 0 1))
(assert (forall ((h Int) (l Int) (r Int)) (=> (and (tree h l) (tree h r)) (tree (+ h 1) (+ l r)))))
(assert (forall ((h Int) (s Int)) (=> (and (tree h s) (= s 8)) false)))
(check-sat)
