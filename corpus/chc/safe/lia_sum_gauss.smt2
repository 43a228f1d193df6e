; The sum 0 + 1 + ... exceeds its last summand; needs i >= 0 and s >= 0 beside the goal s >= i - 1.
(set-logic HORN)
(declare-fun loop (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 0) (loop 0 0 n))))
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (loop i s n) (< i n)) (loop (+ i 1) (+ s i) n))))
(assert (forall ((i Int) (s Int) (n Int)) (=> (and (loop i s n) (< s (- i 1))) false)))
(check-sat)
