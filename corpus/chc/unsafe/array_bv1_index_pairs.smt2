; An array over one bit: few index terms, so few pairs of them to choose from. An engine that takes an option
; for the number of pairs at its word counts for hours.
; engines: bmc
(declare-rel state ((Array (_ BitVec 1) Int) Int))
(declare-rel goal ())
(declare-var a (Array (_ BitVec 1) Int))
(declare-var v Int)
(rule (=> (= v 2)
          (state (store (store ((as const (Array (_ BitVec 1) Int)) 0) (_ bv1 1) 2) (_ bv0 1) (div v 3)) v)))
(rule (=> (and (state a v) (<= 0 v 2) (= (= v (div v 3)) (= (div v 2) (* 2 v)))) (state (store a (_ bv0 1) 0) 0)))
(rule (=> (and (state a v) (<= 0 v 2)
               (or (= (store ((as const (Array (_ BitVec 1) Int)) 0) (_ bv0 1) v) (store a (_ bv0 1) v)) (= 0 (mod v 3))))
          goal))
(query goal)
