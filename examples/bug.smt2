; The same kind of loop with a mistake: it starts at 1 and forgets the first cell.
;
;     assume(n > 2);
;     for (i = 1; i < n; i++) b[i] = a[i];
;     assert(b[k] == a[k]);     // for any k with 0 <= k < n
;
;     foretell examples/bug.smt2          says unsat: the assertion can fail
;     foretell --cex examples/bug.smt2    also shows how, step by step

(set-logic HORN)
(declare-fun copy ((Array Int Int) (Array Int Int) Int Int) Bool)

(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (n Int))
  (=> (> n 2) (copy a b 1 n))))

(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int))
  (=> (and (copy a b i n) (< i n))
      (copy a (store b i (select a i)) (+ i 1) n))))

(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (copy a b i n) (>= i n) (<= 0 k) (< k n))
      (= (select b k) (select a k)))))

(check-sat)
