//! Definitions with a meaning are passed on; all others are refused before a solver sees them.

use crate::check::chc_obligations;

const PROBLEM: &str = "(set-logic HORN)
    (declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
    (declare-datatypes ((T 0)) (((leaf) (twig (only T)) (node (left T) (right T)))))
    (declare-fun p (L T) Bool)
    (assert (forall ((x L) (y T)) (=> true (p x y))))
    (assert (forall ((x L) (y T)) (=> (and (p x y) false) false)))";

fn is_refused(definitions: &str) -> bool {
    let model = format!("{definitions} (define-fun p ((a L) (b T)) Bool true)");
    chc_obligations(PROBLEM, &model).is_err()
}

#[test]
fn guarded_definitions_are_passed_on() {
    let good = [
        "(define-fun-rec f ((r L)) Int (ite ((_ is cons) r) (+ 1 (f (tl r))) 0))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is nil) r) 0 (+ (hd r) (f (tl r)))))",
        "(define-fun-rec f ((r L)) Int (ite (= nil r) 0 (+ (hd r) (f (tl r)))))",
        "(define-fun-rec f ((r L)) Int (ite (= r (as nil L)) 0 (+ (hd r) (f (tl r)))))",
        "(define-fun-rec f ((r L)) Int (ite (not ((_ is cons) r)) 0 (f (tl r))))",
        "(define-fun-rec f ((r L)) Int (ite (and ((_ is cons) r) (< 0 (hd r))) (f (tl r)) 0))",
        "(define-fun-rec f ((r L)) Int (match r ((nil 0) ((cons h t) (+ h (f t))))))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is nil) r) 0 (let ((n (f (tl r)))) (+ n n))))",
        "(define-fun-rec f ((r T)) Int (ite ((_ is leaf) r) 0
            (ite ((_ is twig) r) (f (only r)) (+ (f (left r)) (f (right r))))))",
        "(define-fun-rec f ((r L) (k Int)) Bool
            (ite ((_ is cons) r) (or (= k (hd r)) (f (tl r) k)) false))",
        "(define-funs-rec ((f ((r L)) Bool) (g ((s L)) Bool))
            ((ite ((_ is nil) r) true (g (tl r))) (ite ((_ is nil) s) false (f (tl s)))))",
        "(define-fun-rec f ((r L)) Bool (and ((_ is cons) r) (< 0 (hd r)) (f (tl r))))",
        "(define-fun-rec f ((r L)) Bool (or (= nil r) (and (< 0 (hd r)) (f (tl r)))))",
        "(define-fun-rec f ((r L)) Bool (or (not ((_ is cons) r)) (not (f (tl r)))))",
        "(define-fun-rec f ((r L) (s L)) L (ite ((_ is cons) r) (cons (hd r) (f (tl r) s)) s))
         (define-fun-rec g ((r L)) L (ite ((_ is cons) r) (f (g (tl r)) (cons (hd r) nil)) nil))",
        "(define-fun-rec f ((m Int) (r L)) Int (ite (<= m 0) 0 (+ (hd r) (f (- m 1) (tl r)))))",
        "(define-fun-rec f ((m Int)) Int (ite (> m (- 3)) (f (+ m (- 2))) 0))",
        "(define-fun-rec f ((m Int)) Int (ite (<= 5 m) (+ 1 (f (+ (- 1) m))) 0))",
        "(define-fun-rec f ((m Int)) Int (ite (not (>= 5 m)) (f (- m 1)) 0))",
        "(define-fun-rec f ((m Int)) Bool (and (< 0 m) (not (f (- m 1)))))",
        "(define-funs-rec ((f ((m Int)) Int) (g ((n Int)) Int))
            ((ite (< m 7) 0 (g (- m 1))) (ite (< n 0) 1 (f (- n 2)))))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is cons) r) (f (tl r)) 0))
         (define-fun-rec g ((r L)) Int (f (cons 0 r)))",
    ];
    for definition in good {
        assert!(!is_refused(definition), "{definition}");
    }
}

#[test]
fn definitions_without_a_meaning_are_refused() {
    let bad = [
        // The call is on the argument itself, on something larger, or on something else.
        "(define-fun-rec f ((r L)) Int (+ 1 (f r)))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is cons) r) (f r) 0))",
        "(define-fun-rec f ((r L)) Int (f (cons 0 r)))",
        "(define-fun-rec f ((r L)) Int (+ 1 (f nil)))",
        "(define-fun-rec f ((r L) (s L)) Int (ite ((_ is cons) s) (+ 1 (f (tl s) s)) 0))",
        "(define-fun-rec f ((r L) (s L)) Int (ite ((_ is cons) s) (+ 1 (f r (tl s))) 0))",
        "(define-fun-rec f ((k Int) (r L)) Int (ite ((_ is cons) r) (+ 1 (f k (tl r))) 0))",
        // The constructor is not established.
        "(define-fun-rec f ((r L)) Int (+ 1 (f (tl r))))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is nil) r) (+ 1 (f (tl r))) 0))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is cons) r) 0 (+ 1 (f (tl r)))))",
        "(define-fun-rec f ((r L)) Int (ite (or ((_ is cons) r) true) (+ 1 (f (tl r))) 0))",
        "(define-fun-rec f ((r L)) Int (ite (and ((_ is nil) r) (< (hd r) 0)) 0 (f (tl r))))",
        "(define-fun-rec f ((r L) (s L)) Int (ite ((_ is cons) s) (+ 1 (f (tl r) s)) 0))",
        "(define-fun-rec f ((r L)) Int (ite (= nil r) (+ 1 (f (tl r))) 0))",
        "(define-fun-rec f ((r L) (s L)) Int (ite (= s r) 0 (+ 1 (f (tl r) s))))",
        "(define-fun-rec f ((r L) (s L)) Int (ite (= nil s) 0 (+ 1 (f (tl r) s))))",
        "(define-fun-rec f ((r L)) Int (ite ((_ is cons) r) (+ 1 (f (tl (tl r)))) 0))",
        "(define-fun-rec f ((r T)) Int (ite ((_ is leaf) r) 0 (+ 1 (f (left r)))))",
        "(define-fun-rec f ((r T)) Int (ite ((_ is node) r) (+ 1 (f (only r))) 0))",
        "(define-fun-rec f ((r L)) Int (ite (< (f (tl r)) 0) 1 0))",
        "(define-fun-rec f ((r L)) Int (let ((n (f (tl r)))) (ite ((_ is cons) r) n 0)))",
        "(define-fun-rec f ((r L)) Bool (or ((_ is cons) r) (f (tl r))))",
        "(define-fun-rec f ((r L)) Bool (and (= nil r) (not (f (tl r)))))",
        "(define-fun-rec f ((r L)) Bool (and (not ((_ is cons) r)) (not (f (tl r)))))",
        "(define-fun-rec f ((r L)) Bool (and (or ((_ is cons) r) (< 0 (hd r))) (not (f (tl r)))))",
        "(define-fun-rec f ((r L)) Bool (not (=> ((_ is cons) r) (f (tl r)))))",
        "(define-fun-rec f ((r L)) L (ite ((_ is cons) r) (f (f (tl r))) nil))",
        "(define-fun-rec f ((r L)) L (ite ((_ is cons) r) (f (cons 0 (f (tl r)))) nil))",
        // Through another function of the command.
        "(define-funs-rec ((f ((r L)) Int) (g ((s L)) Int)) ((+ 1 (g r)) (+ 1 (f s))))",
        "(define-funs-rec ((f ((r L)) Int) (g ((s L)) Int))
            ((ite ((_ is cons) r) (g (tl r)) 0) (+ 1 (f s))))",
        // Names that have a meaning.
        "(define-fun-rec f ((r L)) Int (ite ((_ is cons) r) (let ((r (cons 1 r))) (f (tl r))) 0))",
        "(define-fun-rec f ((r L)) Int (match r ((nil 0) ((cons h t) (let ((t r)) (f t))))))",
        "(define-fun-rec f ((tl L)) Int (ite ((_ is cons) tl) (+ 1 (f (tl tl))) 0))",
        "(define-fun-rec f ((r L) (r L)) Int (ite ((_ is cons) r) (+ 1 (f (tl r) r)) 0))",
        "(define-fun-rec p ((r L)) Int (ite ((_ is cons) r) (+ 1 (p (tl r))) 0))",
        "(define-fun-rec cons ((r L)) Int 0)",
        "(define-fun-rec not ((r L)) Bool true)",
        "(define-fun-rec f ((r L)) Int 0) (define-fun-rec f ((r L)) Int 1)",
        "(define-funs-rec ((f ((r L)) Int) (f ((s L)) Int)) (0 1))",
        // Patterns that make nothing smaller.
        "(define-fun-rec f ((r L)) Int (match r ((nil 0) (y (+ 1 (f y))))))",
        "(define-fun-rec f ((r L)) Int (match (cons 0 r) ((nil 0) ((cons h t) (+ 1 (f t))))))",
        "(define-fun-rec f ((r L)) Int (match r ((nil 0) ((cons h t)
            (match (cons 0 r) ((nil 0) ((cons h t) (+ 1 (f t)))))))))",
        // Shapes that are not understood.
        "(define-fun-rec f ((r L)) Bool (forall ((k Int)) (not (f r))))",
        "(define-fun-rec f ((r L)) Bool (! (f r) :named a))",
        "(define-fun-rec f ((r L)) Int ((as f Int) r))",
        "(define-fun-rec f () Int (+ 1 f))",
        "(define-funs-rec ((f ((r L)) Int)) (0 0))",
        "(define-fun-rec f ((r L)) Int)",
    ];
    for definition in bad {
        assert!(is_refused(definition), "{definition}");
    }
}

#[test]
fn integers_descend_to_a_numeral() {
    let bad = [
        // The integer does not descend, or to no numeral, or is none.
        "(define-fun-rec f ((m Int)) Int (+ 1 (f (- m 1))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) (+ 1 (f (- m 1))) 0))",
        "(define-fun-rec f ((m Int)) Int (ite (< 0 m) 0 (+ 1 (f (- m 1)))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (+ 1 (f (- m 0)))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (+ 1 (f (- m (- 1))))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (+ 1 (f (+ m 1)))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (+ 1 (f (- 1 m)))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (+ 1 (f m))))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (+ 1 (f (- m)))))",
        "(define-fun-rec f ((m Int)) Int (ite (= m 0) 0 (+ 1 (f (- m 1)))))",
        "(define-fun-rec f ((m Int) (n Int)) Int (ite (<= m n) 0 (+ 1 (f (- m 1) (- n 1)))))",
        "(define-fun-rec f ((m Int) (n Int)) Int (ite (<= n 0) 0 (+ 1 (f m (- n 1)))))",
        "(define-fun-rec f ((m Int) (n Int)) Int (ite (<= n 0) 0 (+ 1 (f (- m 1) n))))",
        "(define-fun-rec f ((m Real)) Int (ite (<= m 0) 0 (+ 1 (f (- m 1)))))",
        "(define-fun-rec f ((m Int)) Int (ite (< (f (- m 1)) 0) (ite (<= m 0) 0 1) 1))",
        "(define-fun-rec f ((m Int)) Int (ite (<= m 0) 0 (let ((m (+ m 9))) (f (- m 1)))))",
        "(define-fun-rec - ((m Int) (n Int)) Int m)",
        "(define-fun-rec f ((m Int) (- Int)) Int (ite (<= m 0) 0 (f (- m 1) -)))",
        "(define-funs-rec ((f ((m Int)) Int) (g ((n Int)) Int))
            ((ite (< m 7) 0 (g (- m 1))) (+ 1 (f n))))",
    ];
    for definition in bad {
        assert!(is_refused(definition), "{definition}");
    }
}
