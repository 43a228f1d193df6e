; The one-type form of the same.
; exit: 4
; expect-error: declare-datatype
(set-logic HORN)
(declare-datatype Pair ((mk (fst Int) (snd Int))))
(declare-fun p (Pair) Bool)
(assert (forall ((x Pair)) (=> (= (fst x) 0) (p x))))
(assert (forall ((x Pair)) (=> (and (p x) (> (fst x) 0)) false)))
(check-sat)
