; A loop writes 0 into every cell of an array:
;
;     for (i = 0; i < n; i++) a[i] = 0;
;     assert(a[k] == 0);        // for any k with 0 <= k < n
;
; The proof needs a quantified invariant: "every cell before i is 0".
;
;     foretell examples/array_init.smt2            says sat: the assertion holds
;     foretell --model examples/array_init.smt2    also prints the invariant

(set-logic HORN)

; loop(a, i, n): the program is at the head of the loop with these values.
(declare-fun loop ((Array Int Int) Int Int) Bool)

; The loop starts with i = 0 and any array.
(assert (forall ((a (Array Int Int)) (n Int))
  (loop a 0 n)))

; One turn of the loop.
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n))
      (loop (store a i 0) (+ i 1) n))))

; After the loop, no index k in the range may hold anything but 0.
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (loop a i n) (>= i n) (<= 0 k) (< k n))
      (= (select a k) 0))))

(check-sat)
