; Finite index domain: two constant arrays over a one-bit index are equal after one write to each cell.
; An abstraction that assumes a further, untouched index would call this safe.
; engines: bmc
(set-logic HORN)
(define-sort A () (Array (_ BitVec 1) (_ BitVec 8)))
(declare-fun p (A A) Bool)
(assert (p ((as const A) #x00) ((as const A) #x01)))
(assert (forall ((a A) (b A) (k (_ BitVec 1)) (v (_ BitVec 8))) (=> (p a b) (p (store a k v) b))))
(assert (forall ((a A) (b A)) (=> (and (p a b) (= a b)) false)))
(check-sat)
