; BV width 4, signed: clamping to [-3, 3] before each step of at most 2 keeps the value in [-5, 5].
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 4)) Bool)
(define-fun clamp ((x (_ BitVec 4))) (_ BitVec 4) (ite (bvsgt x #x3) #x3 (ite (bvslt x #xd) #xd x)))
(assert (p #x0))
(assert (forall ((x (_ BitVec 4)) (d (_ BitVec 4)))
  (=> (and (p x) (bvsle d #x2) (bvsge d #xe)) (p (bvadd (clamp x) d)))))
(assert (forall ((x (_ BitVec 4))) (=> (p x) (and (bvsle x #x5) (bvsge x #xb)))))
(check-sat)
