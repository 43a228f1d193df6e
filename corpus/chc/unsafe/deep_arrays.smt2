; A loop of 1000 rounds fills an array with what is chosen each time, and stops when a choice is out of
; range; a second loop looks at a cell that is not what it should be.
; engines: simulate
(set-logic HORN)
(declare-fun fill (Int Int (Array Int Int) (Array Int (Array Int Int))) Bool)
(declare-fun look (Int (Array Int Int) (Array Int (Array Int Int))) Bool)
(assert (forall ((x Int) (a (Array Int Int)) (m (Array Int (Array Int Int))))
  (fill 0 x a m)))
(assert (forall ((i Int) (x Int) (y Int) (a (Array Int Int)) (m (Array Int (Array Int Int))))
  (=> (and (fill i x a m) (< i 1000) (<= (- 9) x 9)) (fill (+ i 1) y (store a i x) m))))
(assert (forall ((i Int) (x Int) (a (Array Int Int)) (m (Array Int (Array Int Int))))
  (=> (and (fill i x a m) (>= i 1000)) (look 0 a m))))
(assert (forall ((i Int) (a (Array Int Int)) (m (Array Int (Array Int Int))))
  (=> (and (look i a m) (< i 1000) (<= (select a i) 9)) (look (+ i 1) a m))))
(assert (forall ((i Int) (a (Array Int Int)) (m (Array Int (Array Int Int))))
  (=> (and (look i a m) (= i 1000) (not (= (select (select m 5) 3) (select (select m 5) 70)))) false)))
(check-sat)
