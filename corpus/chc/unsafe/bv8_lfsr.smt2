; BV width 8: a shift register with feedback reaches #x47 from #x01 after six steps.
; engines: bmc
(set-logic HORN)
(declare-fun r ((_ BitVec 8)) Bool)
(assert (r #x01))
(assert (forall ((x (_ BitVec 8))) (=> (r x)
  (r (concat ((_ extract 6 0) x) (bvxor ((_ extract 7 7) x) ((_ extract 5 5) x) ((_ extract 4 4) x) ((_ extract 3 3) x)))))))
(assert (forall ((x (_ BitVec 8))) (=> (and (r x) (= x #x47)) false)))
(check-sat)
