; Options that name files: the answer is given as usual and no file is touched.
; engines: kinduction
(set-option :regular-output-channel "corpus_must_not_write_this.txt")
(set-option :diagnostic-output-channel "corpus_must_not_write_this_either.txt")
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (- x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 0)) false)))
(check-sat)
