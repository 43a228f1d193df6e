; BV width 32, signed: what x gains y loses, so y stays above zero. The proof needs the sum x + y, which
; words as integers have (passes.integers) and interpolants over words have not.
(set-logic HORN)
(declare-fun p ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (=> (bvsle #x00000000 n) (p #x00000000 n n))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (p x y n) (bvslt x n)) (p (bvadd x #x00000001) (bvsub y #x00000001) n))))
(assert (forall ((x (_ BitVec 32)) (y (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (p x y n) (bvslt y #x00000000)) false)))
(check-sat)
