; Trees with lists of trees, declared together and used before they are complete.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((Forest 0) (Tree 0)) (((none) (some (one Tree) (more Forest))) ((node (key Int) (kids Forest)))))
(declare-fun p (Tree) Bool)
(assert (p (node 0 none)))
(assert (forall ((t Tree)) (=> (p t) (p (node (+ (key t) 1) (some t none))))))
(assert (forall ((t Tree)) (=> (and (p t) (= (key t) 2) (= (key (one (kids t))) 1)) false)))
(check-sat)
