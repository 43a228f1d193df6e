; Interleaving is not commutative: recursion that is not over one argument, and two small lists.
; engines: functions
(set-logic HORN)
(declare-datatypes ((list 0)) (((nil) (cons (hd Int) (tl list)))))
(declare-fun weave (list list list) Bool)
(declare-fun len (list Int) Bool)
(assert (forall ((y list)) (weave nil y y)))
(assert (forall ((h Int) (x list) (y list) (z list)) (=> (weave y x z) (weave (cons h x) y (cons h z)))))
(assert (len nil 0))
(assert (forall ((h Int) (x list) (n Int)) (=> (len x n) (len (cons h x) (+ n 1)))))
(assert (forall ((x list) (y list) (a list) (b list))
  (=> (and (weave x y a) (weave y x b) (len x 2) (len y 1) (not (= a b))) false)))
(check-sat)
