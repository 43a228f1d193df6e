; Quoted symbols: spaces, parentheses, semicolons, quotation marks, keywords, the empty symbol, a line break.
; engines: kinduction
(set-logic HORN)
(declare-fun |a predicate (with) ; marks "and" 'quotes'| (Int Int) Bool)
(declare-fun || (Int) Bool)
(assert (|a predicate (with) ; marks "and" 'quotes'| 0 0))
(assert (forall ((|let| Int) (|forall x| Int)) (=> (|a predicate (with) ; marks "and" 'quotes'| |let| |forall x|)
  (|a predicate (with) ; marks "and" 'quotes'| (+ |let| 1) (+ |forall x| 1)))))
(assert (forall ((|assert
next line| Int) (|:key| Int)) (=> (|a predicate (with) ; marks "and" 'quotes'| |assert
next line| |:key|) (|| (- |:key| |assert
next line|)))))
(assert (forall ((|0| Int)) (=> (and (|| |0|) (not (= |0| 0))) false)))
(check-sat)
