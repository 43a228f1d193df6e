; A tester of something that is no constructor.
; exit: 3
; expect-error: unknown constructor
(set-logic HORN)
(declare-datatypes ((T 0)) (((a) (c (of Int)))))
(declare-fun p (T) Bool)
(assert (forall ((t T)) (=> ((_ is d) t) (p t))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
