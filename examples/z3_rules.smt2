; The rules dialect of Z3's fixedpoint engine. For a query Z3 says sat when the
; relation is reachable, and Foretell uses the same words: here the answer is unsat.
;
;     foretell examples/z3_rules.smt2

(declare-rel search ((Array Int Int) Int Int Int))
(declare-rel fail ())
(declare-var a (Array Int Int))
(declare-var key Int)
(declare-var i Int)
(declare-var n Int)
(declare-var k Int)

; Linear search: walk on while the key has not been found.
(rule (=> (= i 0) (search a key i n)))
(rule (=> (and (search a key i n) (< i n) (not (= (select a i) key)))
          (search a key (+ i 1) n)))

; If the walk got to the end, the key is nowhere.
(rule (=> (and (search a key i n) (>= i n) (<= 0 k) (< k n) (= (select a k) key))
          fail))

(query fail)
