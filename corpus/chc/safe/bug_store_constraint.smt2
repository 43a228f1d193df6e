; An equation on arrays that is a constraint, not a definition: a is required to have two given cells.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (=> (= a (store (store a 0 0) 1 1)) (p a 2))))
(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
  (=> (and (p a i) (= b (store a i (+ (select b (- i 1)) 1))) (>= i 2)) (p b (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int)) (=> (p a i) (and (= (select a 0) 0) (= (select a 1) 1) (>= i 2)))))
(check-sat)
