; An array of a type that is declared after it, as some compilers write it.
; exit: 3
; expect-error: unknown sort `U`
(set-logic HORN)
(declare-datatypes ((T 0)) (((mk (of (Array Int U)) (n Int)))))
(declare-datatypes ((U 0)) (((mku (ofu Int)))))
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (q x) false)))
(check-sat)
