; Three different arrays from U to Bool exist only if U has more than one element. SMT-LIB lets U have
; one, so the clauses are satisfiable, although no term has the sort U itself.
(set-logic HORN)
(declare-sort U 0)
(declare-fun p ((Array U Bool) (Array U Bool) (Array U Bool)) Bool)
(assert (forall ((a (Array U Bool)) (b (Array U Bool)) (c (Array U Bool))) (p a b c)))
(assert (forall ((a (Array U Bool)) (b (Array U Bool)) (c (Array U Bool)))
  (=> (and (p a b c) (not (= a b)) (not (= b c)) (not (= a c))) false)))
(check-sat)
