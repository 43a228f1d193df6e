; Recursive functions give clauses with two calls in the body. McCarthy's function
; returns 91 for every argument up to 101:
;
;     int mc(int x) { return x > 100 ? x - 10 : mc(mc(x + 11)); }
;     assert(x > 101 || mc(x) != 92);
;
;     foretell examples/recursion.smt2
;
; Change 92 to 91 to see a refutation that is a tree, not a path.

(set-logic HORN)
(declare-fun mc (Int Int) Bool)

(assert (forall ((x Int)) (=> (> x 100) (mc x (- x 10)))))
(assert (forall ((x Int) (y Int) (r Int))
  (=> (and (<= x 100) (mc (+ x 11) y) (mc y r)) (mc x r))))
(assert (forall ((x Int) (r Int))
  (=> (and (mc x r) (<= x 101)) (not (= r 92)))))

(check-sat)
