; BV width 1 used as a flag beside a wide counter.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 1) (_ BitVec 64)) Bool)
(assert (p #b0 #x0000000000000000))
(assert (forall ((f (_ BitVec 1)) (c (_ BitVec 64))) (=> (p f c) (p (bvnot f) (bvadd c #x0000000000000001)))))
(assert (forall ((f (_ BitVec 1)) (c (_ BitVec 64))) (=> (p f c) (= f ((_ extract 0 0) c)))))
(check-sat)
