; A VMT system in a file called .smt2, with set-logic, set-option and define-sort.
; engines: kinduction
(set-logic ALL)
(set-option :produce-models true)
(define-sort Word () (_ BitVec 8))
(declare-fun w () Word)
(declare-fun w1 () Word)
(define-fun sw () Word (! w :next w1))
(define-fun i () Bool (! (= w #x80) :init true))
(define-fun t () Bool (! (= w1 (bvor w (bvlshr w #x01))) :trans true))
(define-fun p () Bool (! (bvslt w #x00) :invar-property 0))
