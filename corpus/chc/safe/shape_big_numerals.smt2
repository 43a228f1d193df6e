; Numerals far above 2^64, and their exact difference.
; engines: kinduction
(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 340282366920938463463374607431768211456 340282366920938463463374607431768211455))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 123456789012345678901234567890) (+ y 123456789012345678901234567890)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (= (- x y) 1))))
(check-sat)
