; A command that would read another file: refused, and no other file is read.
; exit: 4
; expect-error: include
(include "array_init.smt2")
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (=> (p 0) false))
(check-sat)
