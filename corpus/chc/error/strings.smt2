; Strings are outside the fragment.
; exit: 4
; expect-error: String
(set-logic HORN)
(declare-fun p (String) Bool)
(assert (p "start"))
(assert (forall ((s String)) (=> (p s) (p (str.++ s "x")))))
(assert (forall ((s String)) (=> (and (p s) (= s "")) false)))
(check-sat)
