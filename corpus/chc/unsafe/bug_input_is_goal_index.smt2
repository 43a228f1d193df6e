; The loop's nondeterministic value and the goal's index are different variables of the same sort.
; If they are merged into one, only a[3] = 3 can be seen.
; engines: bmc
(set-logic HORN)
(declare-fun loop ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int))) (loop a 0)))
(assert (forall ((a (Array Int Int)) (i Int) (k Int)) (=> (and (loop a i) (>= k 0)) (loop (store a i k) (+ i 1)))))
(assert (forall ((a (Array Int Int)) (i Int) (k Int)) (=> (and (loop a i) (<= 0 k) (< k i) (= (select a k) (+ k 5))) false)))
(check-sat)
