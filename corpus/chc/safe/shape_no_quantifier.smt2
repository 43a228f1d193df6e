; Clauses without any quantifier: ground facts only.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(declare-fun q () Bool)
(assert (p 0))
(assert (=> (p 0) (p 1)))
(assert (=> (p 2) q))
(assert (not q))
(check-sat)
