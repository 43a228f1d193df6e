; Lines end in CR LF; that is white space.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (* 2 x)))))
(assert (forall ((x Int)) (=> (and (p x) (<= x 0)) false)))
(check-sat)
