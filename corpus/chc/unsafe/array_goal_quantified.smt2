; A quantified goal that fails: the loop writes i where 0 is promised.
; engines: bmc
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (fill a 0)))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (and (fill a i) (< i 4)) (fill (store a i (ite (= i 2) i 0)) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int))
  (=> (and (fill a i) (= i 4)) (forall ((k Int)) (=> (and (<= 0 k) (< k 4)) (= (select a k) 0))))))
(check-sat)
