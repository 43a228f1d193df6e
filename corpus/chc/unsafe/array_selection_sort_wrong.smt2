; Selection sort that forgets to look at the last cell.
; engines: bmc
(set-logic HORN)
(declare-fun o ((Array Int Int) Int Int) Bool)
(declare-fun n ((Array Int Int) Int Int Int Int) Bool)
(assert (forall ((a (Array Int Int))) (o a 0 3)))
(assert (forall ((a (Array Int Int)) (i Int) (m Int)) (=> (and (o a i m) (< i m)) (n a i (+ i 1) i m))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int) (m Int))
  (=> (and (n a i j s m) (< j (- m 1))) (n a i (+ j 1) (ite (< (select a j) (select a s)) j s) m))))
(assert (forall ((a (Array Int Int)) (i Int) (j Int) (s Int) (m Int))
  (=> (and (n a i j s m) (>= j (- m 1))) (o (store (store a i (select a s)) s (select a i)) (+ i 1) m))))
(assert (forall ((a (Array Int Int)) (i Int) (m Int) (x Int) (y Int))
  (=> (and (o a i m) (>= i m) (<= 0 x) (< x y) (< y m) (> (select a x) (select a y))) false)))
(check-sat)
