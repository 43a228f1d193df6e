; Cases by `match`; the update changes one field.
; engines: bmc
(set-logic HORN)
(declare-datatypes ((Shape 0)) (((none) (circle (radius Int)) (box (width Int) (height Int)))))
(declare-fun p (Shape) Bool)
(assert (p none))
(assert (forall ((s Shape))
  (=> (p s) (p (match s ((none (circle 1)) ((circle r) (box r 2)) (other other)))))))
(assert (forall ((s Shape)) (=> (p s) (p ((_ update-field width) s 7)))))
(assert (forall ((s Shape)) (=> (and (p s) (= s (box 7 2))) false)))
(check-sat)
