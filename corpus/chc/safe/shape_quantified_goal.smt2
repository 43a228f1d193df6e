; A goal with a quantifier of its own: afterwards every cell in the range is 1.
; The negated goal is existential, so its variable belongs to the clause.
(set-logic HORN)
(declare-fun fill ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (fill a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int)) (=> (and (fill a i n) (< i n)) (fill (store a i 1) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (fill a i n) (>= i n)) (forall ((k Int)) (=> (and (<= 0 k) (< k n)) (= (select a k) 1))))))
(check-sat)
