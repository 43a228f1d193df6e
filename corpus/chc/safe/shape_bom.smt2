; The file starts with a UTF-8 byte order mark, which is skipped.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (+ x x)))))
(assert (forall ((x Int)) (=> (and (p x) (<= x 0)) false)))
(check-sat)
