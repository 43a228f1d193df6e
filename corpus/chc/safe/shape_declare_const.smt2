; Free constants in place of quantified variables, and no quantifier at all.
; Safe whether the constants are closed clause by clause or for the whole script.
; engines: kinduction
(set-logic HORN)
(declare-const x Int)
(declare-const y Int)
(declare-fun p (Int) Bool)
(assert (=> (= x 0) (p x)))
(assert (=> (and (p x) (= y (+ x 1))) (p y)))
(assert (=> (and (p x) (< x 0)) false))
(check-sat)
