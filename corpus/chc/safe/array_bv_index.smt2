; Array indexed by BV of width 4 with BV 8 elements: all sixteen cells are reached, index wraps.
; engines: kinduction
(set-logic HORN)
(define-sort Mem () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-fun p (Mem (_ BitVec 4)) Bool)
(assert (forall ((a Mem)) (=> (= a ((as const Mem) #x07)) (p a #x0))))
(assert (forall ((a Mem) (i (_ BitVec 4)) (v (_ BitVec 8)))
  (=> (and (p a i) (bvult v #x20)) (p (store a i v) (bvadd i #x1)))))
(assert (forall ((a Mem) (i (_ BitVec 4)) (z (_ BitVec 4))) (=> (and (p a i) (bvuge (select a z) #x20)) false)))
(check-sat)
