; Quoted symbols with letters of other alphabets, accents and an emoji; two of them look alike but differ in bytes.
; engines: kinduction
(set-logic HORN)
(declare-fun |zähler| (Int Int) Bool)
(declare-fun |σ→τ 🦀| (Int) Bool)
(assert (|zähler| 0 5))
(assert (forall ((|é| Int) (|é| Int)) (=> (|zähler| |é| |é|) (|zähler| (+ |é| 1) (- |é| 1)))))
(assert (forall ((|变量| Int) (|Ж| Int)) (=> (|zähler| |变量| |Ж|) (|σ→τ 🦀| (+ |变量| |Ж|)))))
(assert (forall ((x Int)) (=> (and (|σ→τ 🦀| x) (distinct x 5)) false)))
(check-sat)
