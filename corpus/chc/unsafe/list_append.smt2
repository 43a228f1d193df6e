; A list may be appended to itself: a derivation over constructors.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((list 0)) (((nil) (cons (hd Int) (tl list)))))
(declare-fun app (list list list) Bool)
(assert (forall ((y list)) (=> true (app nil y y))))
(assert (forall ((h Int) (x list) (y list) (z list))
  (=> (app x y z) (app (cons h x) y (cons h z)))))
(assert (forall ((x list) (z list))
  (=> (and (app x x z) (not (= x nil)) (= (hd (tl z)) 7)) false)))
(check-sat)
