; A type with a parameter, used at two sorts; the empty list needs its sort.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((Seq2 1)) ((par (T) ((empty) (add (first T) (rest (Seq2 T)))))))
(declare-fun p ((Seq2 Int) (Seq2 Bool)) Bool)
(assert (p (as empty (Seq2 Int)) (as empty (Seq2 Bool))))
(assert (forall ((a (Seq2 Int)) (b (Seq2 Bool))) (=> (p a b) (p (add 1 a) (add true b)))))
(assert (forall ((a (Seq2 Int)) (b (Seq2 Bool)))
  (=> (and (p a b) (= a (add 1 (as empty (Seq2 Int)))) (first b)) false)))
(check-sat)
