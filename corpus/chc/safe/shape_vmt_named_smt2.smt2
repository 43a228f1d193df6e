; A VMT system in a file called .smt2 in the CHC folder: the content decides the format.
; engines: kinduction
(declare-fun x () Int)
(declare-fun xn () Int)
(define-fun sv () Int (! x :next xn))
(define-fun i () Bool (! (= x 2) :init true))
(define-fun t () Bool (! (= xn (+ x 2)) :trans true))
(define-fun p () Bool (! (>= x 2) :invar-property 0))
(assert true)
