; BV width 8: logical and arithmetic right shift differ only for negative numbers; rotation is undone.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (p x)))
(assert (forall ((x (_ BitVec 8))) (=> (p x)
  (and (=> (bvsge x #x00) (= (bvlshr x #x02) (bvashr x #x02)))
       (= ((_ rotate_right 3) ((_ rotate_left 3) x)) x)
       (= (concat ((_ extract 7 4) x) ((_ extract 3 0) x)) x)
       (= ((_ extract 7 0) ((_ sign_extend 8) x)) ((_ extract 7 0) ((_ zero_extend 8) x)))
       (= (bvshl x #x09) #x00)))))
(check-sat)
