; A list of three elements: the sizes lead to a derivation, whose lists are then found.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((list 0)) (((nil) (cons (hd Int) (tl list)))))
(declare-fun len (list Int) Bool)
(assert (=> true (len nil 0)))
(assert (forall ((h Int) (x list) (n Int)) (=> (and (len x n) (< n h)) (len (cons h x) (+ n 1)))))
(assert (forall ((x list) (n Int)) (=> (and (len x n) (> n 2) (= (hd x) 5)) false)))
(check-sat)
