; Annotations on clauses and terms, set-info and options, a pattern, check-sat followed by get-model.
; engines: kinduction
(set-info :source |an example (with "quotes" and ; semicolons)|)
(set-info :status sat)
(set-option :produce-models true)
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (! (p 0) :named start))
(assert (! (forall ((x Int)) (! (=> (p x) (p (! (+ x 1) :note here))) :pattern ((p x)) :qid |q 1|)) :named step))
(assert (forall ((x Int)) (=> (p x) (>= x 0))))
(check-sat)
(get-model)
(exit)
