; Three counters, of which each step bumps one chosen by an input; their sum is the number of steps.
; engines: kinduction
(set-logic HORN)
(declare-fun s (Int Int Int Int) Bool)
(assert (s 0 0 0 0))
(assert (forall ((a Int) (b Int) (c Int) (n Int) (k Int))
  (=> (s a b c n)
      (s (ite (= k 0) (+ a 1) a) (ite (= k 1) (+ b 1) b) (ite (or (= k 0) (= k 1)) c (+ c 1)) (+ n 1)))))
(assert (forall ((a Int) (b Int) (c Int) (n Int)) (=> (s a b c n) (= n (+ a b c)))))
(check-sat)
