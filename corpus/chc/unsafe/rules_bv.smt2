; The rules dialect with bit vectors, a quantifier of its own in a rule, and a let.
; engines: bmc
(declare-rel r ((_ BitVec 8)))
(declare-rel fail ())
(declare-var x (_ BitVec 8))
(rule (r #x03))
(rule (=> (r x) (let ((y (bvmul x #x03))) (r y))))
(rule (forall ((z (_ BitVec 8))) (=> (and (r z) (= ((_ extract 7 4) z) #xf)) fail)))
(query fail)
