; xor is left-associative, => right-associative, - with one argument negates, ite on Bool.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Bool Bool Bool Int) Bool)
(assert (p false false false 0))
(assert (forall ((a Bool) (b Bool) (c Bool) (x Int)) (=> (p a b c x) (p (not a) b c (- 1 x)))))
(assert (forall ((a Bool) (b Bool) (c Bool) (x Int)) (=> (p a b c x) (p a (not b) c (- 1 x)))))
(assert (forall ((a Bool) (b Bool) (c Bool) (x Int)) (=> (p a b c x) (p a b (not c) (- 1 x)))))
(assert (forall ((a Bool) (b Bool) (c Bool) (x Int))
  (=> (p a b c x) (and (= x (ite (xor a b c) 1 0)) (=> a b c (or (not a) (not b) c))))))
(check-sat)
