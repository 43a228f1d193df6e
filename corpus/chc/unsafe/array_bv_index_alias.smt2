; BV index of width 2: the fifth write lands on the first cell again.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array (_ BitVec 2) Int) (_ BitVec 2) Int) Bool)
(assert (p ((as const (Array (_ BitVec 2) Int)) 0) #b00 1))
(assert (forall ((a (Array (_ BitVec 2) Int)) (i (_ BitVec 2)) (n Int)) (=> (p a i n) (p (store a i n) (bvadd i #b01) (+ n 1)))))
(assert (forall ((a (Array (_ BitVec 2) Int)) (i (_ BitVec 2)) (n Int)) (=> (and (p a i n) (= (select a #b00) 5)) false)))
(check-sat)
