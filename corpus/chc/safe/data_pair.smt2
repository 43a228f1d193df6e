; The one-type form; the name of the type is one that Z3 knows.
(set-logic HORN)
(declare-datatype Both ((mk (fst Int) (snd Int))))
(declare-fun p (Both) Bool)
(assert (forall ((x Both)) (=> (= (fst x) 0) (p x))))
(assert (forall ((x Both)) (=> (and (p x) (> (fst x) 0)) false)))
(check-sat)
