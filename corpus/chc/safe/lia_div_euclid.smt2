; Euclidean division with all four sign combinations: x = d * (div x d) + (mod x d).
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (p x)))
(assert (forall ((x Int)) (=> (p x)
  (and (= x (+ (* 3 (div x 3)) (mod x 3)))
       (= x (+ (* (- 3) (div x (- 3))) (mod x (- 3))))
       (= (div (- 7) 2) (- 4)) (= (div (- 7) (- 2)) 4) (= (div 7 (- 2)) (- 3))
       (= (mod (- 7) 2) 1) (= (mod (- 7) (- 2)) 1)))))
(check-sat)
