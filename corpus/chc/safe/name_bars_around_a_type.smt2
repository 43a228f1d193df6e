; Bars around the name of a type change nothing: the compiler of Solidity writes them everywhere.
; engines: candidates
(set-logic HORN)
(declare-datatypes ((|pair_type| 0)) (((|pair_type| (|fst| Int) (|snd| Int)))))
(declare-fun |p| (|pair_type| (Array Int |pair_type|)) Bool)
(assert (forall ((x |pair_type|) (a (Array Int |pair_type|))) (=> (= (|fst| x) 0) (|p| x a))))
(assert (forall ((x |pair_type|) (a (Array Int |pair_type|))) (=> (and (|p| x a) (> (|fst| x) 0)) false)))
(check-sat)
