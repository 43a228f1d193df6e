; A traffic light turns green.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((Colour 0)) (((red) (yellow) (green))))
(declare-fun p (Colour Int) Bool)
(assert (p red 0))
(assert (forall ((c Colour) (n Int)) (=> (and (p c n) (= c red)) (p green (+ n 1)))))
(assert (forall ((c Colour) (n Int)) (=> (and (p c n) (= c green)) (p yellow (+ n 1)))))
(assert (forall ((c Colour) (n Int)) (=> (and (p c n) (= c yellow)) false)))
(check-sat)
