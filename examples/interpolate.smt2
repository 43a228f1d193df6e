; Interpolation: the three groups of assertions are unsatisfiable together. An interpolant
; after g1 is implied by g1, contradicts g2 and g3, and speaks only of what both sides
; share: here x and y, but not u. Likewise after g1 and g2: x and v.
;
;     foretell interpolate examples/interpolate.smt2

(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun u () Int)
(declare-fun v () Int)

(assert (! (and (<= x u) (<= (+ u 3) y)) :interpolation-group g1))
(assert (! (= v (+ y 1)) :interpolation-group g2))
(assert (! (< (+ v 1) x) :interpolation-group g3))

(check-sat)
