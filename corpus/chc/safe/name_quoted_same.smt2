; |x| and x are the same symbol, |inv| and inv are the same predicate.
; engines: kinduction
(set-logic HORN)
(declare-fun |inv| (Int) Bool)
(assert (forall ((|x| Int)) (=> (= x 4) (inv |x|))))
(assert (forall ((x Int)) (=> (|inv| |x|) (|inv| (+ x 4)))))
(assert (forall ((x Int)) (=> (and (inv x) (< |x| 4)) false)))
(check-sat)
