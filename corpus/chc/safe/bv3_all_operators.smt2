; BV width 3: identities of the less common operators hold for all values.
; engines: kinduction
(set-logic HORN)
(declare-fun p ((_ BitVec 3) (_ BitVec 3)) Bool)
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (p x y)))
(assert (forall ((x (_ BitVec 3)) (y (_ BitVec 3))) (=> (p x y)
  (and (= (bvnand x y) (bvnot (bvand x y))) (= (bvnor x y) (bvnot (bvor x y))) (= (bvxnor x y) (bvnot (bvxor x y)))
       (= (bvcomp x y) (ite (= x y) #b1 #b0)) (= ((_ repeat 2) x) (concat x x)) (= (bvneg x) (bvadd (bvnot x) #b001))
       (= (bvsub x y) (bvadd x (bvneg y))) (= (bvuge x y) (not (bvult x y))) (= (bvsge x y) (not (bvslt x y)))
       (=> (distinct y #b000) (= x (bvadd (bvmul y (bvsdiv x y)) (bvsrem x y))))))))
(check-sat)
