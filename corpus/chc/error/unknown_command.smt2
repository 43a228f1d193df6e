; A command that SMT-LIB does not have; in particular, no other file is read.
; exit: 3
; expect-error: include
(include "array_init.smt2")
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (=> (p 0) false))
(check-sat)
