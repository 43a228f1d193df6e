; What is behind (exit) belongs to nobody, be it a second declaration, no command, or no text.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(check-sat)
(exit)
(declare-fun p (Int) Bool)
(query p)
garbage ) (((
