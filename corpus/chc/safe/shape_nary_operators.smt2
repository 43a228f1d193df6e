; n-ary operators: + and - and * with many arguments, chained comparisons, n-ary distinct and =.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int Int Int) Bool)
(assert (p 1 2 3 4))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (k Int))
  (=> (and (p a b c d) (>= k 0)) (p (+ a k) (+ b k k 0 0 0 (- 0 0 0)) (+ c k k k) (+ d k k k k)))))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (p a b c d) (< a b c d))))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (p a b c d) (distinct a b c d))))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (p a b c d) (or (>= a b c d) (= a b c d))) false)))
(check-sat)
