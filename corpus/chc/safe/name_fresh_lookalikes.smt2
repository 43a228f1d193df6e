; Variables and predicates called like generated names: with @, !, #, ., primes and numbers.
; engines: kinduction
(set-logic HORN)
(declare-fun p!0 (Int Int Int) Bool)
(declare-fun |p!0@1| (Int) Bool)
(assert (forall ((x!0 Int) (x@0 Int) (x@1 Int)) (=> (and (= x!0 1) (= x@0 2) (= x@1 3)) (p!0 x!0 x@0 x@1))))
(assert (forall ((x@1 Int) (x@0 Int) (x!0 Int) (k!1 Int) (loc Int) (pc Int))
  (=> (and (p!0 x@1 x@0 x!0) (= k!1 x@0) (= loc k!1) (= pc loc)) (p!0 x@1 pc x!0))))
(assert (forall ((Z Int) (z!h Int) (x.next Int)) (=> (and (p!0 Z z!h x.next) (> x.next Z)) (|p!0@1| z!h))))
(assert (forall ((fresh0 Int)) (=> (and (|p!0@1| fresh0) (not (= fresh0 2))) false)))
(check-sat)
