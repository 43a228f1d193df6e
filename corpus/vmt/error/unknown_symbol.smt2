; A VMT file called .smt2 that uses an undeclared variable.
; exit: 3
; expect-error: nobody
(declare-fun x () Int)
(declare-fun x1 () Int)
(define-fun sx () Int (! x :next x1))
(define-fun i () Bool (! (= x nobody) :init true))
(define-fun t () Bool (! (= x1 x) :trans true))
(define-fun p () Bool (! (= x 0) :invar-property 0))
