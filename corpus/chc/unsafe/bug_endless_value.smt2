; engines: bmc
; Z3 evaluates the second argument of `q` in a model of the second clause for ever, and takes all memory:
; an evaluation has an end, and what has no value there is not split into places.
(set-logic HORN)
(declare-fun p (Int (Array Int Bool)) Bool)
(declare-fun q (Int Bool) Bool)
(assert (forall ((x Int)) (=> (<= (* 2 x) 0) (p x (store ((as const (Array Int Bool)) false) x false)))))
(assert (forall ((x Int) (a (Array Int Bool))) (=> (and (p x a) (<= (mod x 2) x))
  (q 0 (not (= (= (store ((as const (Array Int Bool)) false) x false) (store a x true))
               (= a (store a x false))))))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) b) (q 0 (<= (* 2 x) x)))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (<= (div x 3) x)) false)))
(check-sat)
