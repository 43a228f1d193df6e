; 5-inductive: a value walks through a pipe of four places before it is looked at.
(set-logic HORN)
(declare-fun pipe (Int Int Int Int Int) Bool)
(assert (pipe 0 0 0 0 0))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int) (in Int))
  (=> (and (pipe a b c d e) (>= in 0)) (pipe in a b c d))))
(assert (forall ((a Int) (b Int) (c Int) (d Int) (e Int)) (=> (and (pipe a b c d e) (< e 0)) false)))
(check-sat)
