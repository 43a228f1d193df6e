; An array indexed by arrays: engines that follow single cells say that they do not.
; engines: bmc
(set-logic HORN)
(declare-fun p ((Array (Array Int Int) Int) (Array Int Int) Int) Bool)
(assert (forall ((m (Array (Array Int Int) Int)) (a (Array Int Int)))
  (=> (= (select m a) 3) (p m a 0))))
(assert (forall ((m (Array (Array Int Int) Int)) (a (Array Int Int)) (i Int))
  (=> (p m a i) (p m (store a i (select m a)) (+ i 1)))))
(assert (forall ((m (Array (Array Int Int) Int)) (a (Array Int Int)) (i Int))
  (=> (and (p m a i) (> i 1) (= (select m a) 4) (= (select a 0) 3)) false)))
(check-sat)
