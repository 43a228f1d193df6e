; The sum of three cells below 10 each reaches 27.
; engines: bmc
(set-logic HORN)
(declare-fun s ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int))) (s a 0 0)))
(assert (forall ((a (Array Int Int)) (i Int) (t Int))
  (=> (and (s a i t) (< (select a i) 10)) (s a (+ i 1) (+ t (select a i))))))
(assert (forall ((a (Array Int Int)) (i Int) (t Int)) (=> (and (s a i t) (= i 3) (= t 27)) false)))
(check-sat)
