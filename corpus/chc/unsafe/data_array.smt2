; An array of pairs indexed by pairs.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((Pt 0)) (((pt (x Int) (y Int)))))
(declare-fun p ((Array Pt Pt) Int) Bool)
(assert (p ((as const (Array Pt Pt)) (pt 0 0)) 0))
(assert (forall ((a (Array Pt Pt)) (i Int)) (=> (p a i) (p (store a (pt i i) (pt i 1)) (+ i 1)))))
(assert (forall ((a (Array Pt Pt)) (i Int)) (=> (and (p a i) (= (y (select a (pt 1 1))) 1)) false)))
(check-sat)
