; The values of arrays indexed by pairs, whose rows have different defaults.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((P 0)) (((mk (fst Int) (snd Int)))))
(declare-fun p ((Array P Int) (Array P Int) Int) Bool)
(assert (forall ((a (Array P Int)) (b (Array P Int)) (x Int))
  (=> (and (= (select a (mk 0 x)) 5) (= (select a (mk 1 x)) 7) (not (= a b)) (= (select b (mk x 0)) 3) (= (select b (mk x 1)) 4)) (p a b x))))
(assert (forall ((a (Array P Int)) (b (Array P Int)) (x Int) (y Int) (z Int))
  (=> (and (p a b x) (= (select a (mk y z)) (select b (mk z y))) (> y 5) (not (= (select a (mk z y)) (select a (mk z z))))) false)))
(check-sat)
