//! Models with recursive definitions for clauses that have no model at all: none is accepted.
//!
//! A solver believes `f(x) = 1 + f(x)`, and then everything; whoever passes such a definition on
//! accepts one of these.

use super::chc;
use foretell_certify::Outcome;

/// Lists of length three exist.
const PROBLEM: &str = "(set-logic HORN)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-datatypes ((T 0)) (((leaf) (node (left T) (at Int) (right T)))))
(declare-fun len (L Int) Bool)
(declare-fun height (T Int) Bool)
(assert (len nil 0))
(assert (forall ((h Int) (x L) (n Int)) (=> (len x n) (len (cons h x) (+ n 1)))))
(assert (height leaf 0))
(assert (forall ((x T) (y T) (a Int) (n Int) (m Int))
  (=> (and (height x n) (height y m)) (height (node x a y) (+ 1 (ite (< n m) m n))))))
(assert (forall ((x L) (n Int) (t T)) (=> (and (len x n) (height t n) (= n 3)) false)))
(check-sat)
";

/// Definitions of `f` over lists and `g` over trees, of which at least one has no meaning.
const WITHOUT_MEANING: [(&str, &str); 23] = [
    ("(+ 1 (f x))", "0"),
    ("(+ 1 (f (tl x)))", "0"),
    ("(ite ((_ is nil) x) (+ 1 (f (tl x))) 0)", "0"),
    ("(ite ((_ is cons) x) 0 (- (f (tl x)) 1))", "0"),
    ("(ite ((_ is cons) x) (+ 1 (f x)) 0)", "0"),
    ("(+ 1 (f (cons 0 x)))", "0"),
    ("(ite ((_ is cons) x) (+ 1 (f (cons 1 (tl x)))) 0)", "0"),
    ("(ite ((_ is cons) x) (+ 1 (f (tl (tl x)))) 0)", "0"),
    ("(ite (> (hd x) 0) (+ 1 (f (tl x))) 0)", "0"),
    (
        "(ite (or ((_ is cons) x) (= (hd x) 0)) (+ 1 (f (tl x))) 0)",
        "0",
    ),
    ("(match x ((nil 0) (y (+ 1 (f y)))))", "0"),
    ("(match x ((nil (+ 1 (f x))) ((cons h t) 0)))", "0"),
    ("(match (cons 0 x) ((nil 0) ((cons h t) (+ 1 (f t)))))", "0"),
    ("(let ((y x)) (+ 1 (f y)))", "0"),
    (
        "(let ((y (f (tl x)))) (ite ((_ is cons) x) 0 (+ y 1)))",
        "0",
    ),
    ("(ite (= (f (tl x)) 0) 1 0)", "0"),
    ("(ite (and (= x nil) (= (f (tl x)) 0)) 1 0)", "0"),
    ("(ite (or ((_ is cons) x) (= (f (tl x)) 0)) 1 0)", "0"),
    (
        "(ite ((_ is cons) x) 0 (+ 1 (g leaf)))",
        "(ite ((_ is node) y) 0 (+ 1 (f nil)))",
    ),
    ("0", "(+ 1 (g (left y)))"),
    ("0", "(ite ((_ is leaf) y) (+ 1 (g (right y))) 0)"),
    (
        "0",
        "(ite ((_ is node) y) (+ 1 (g (node (left y) 0 (right y)))) 0)",
    ),
    ("0", "(ite ((_ is node) y) (+ (g (left y)) (g y)) 1)"),
];

fn model(f: &str, g: &str, formulas: [&str; 2]) -> String {
    let [len, height] = formulas;
    format!(
        "(define-funs-rec ((f ((x L)) Int) (g ((y T)) Int)) ({f} {g}))
         (define-fun len ((a L) (n Int)) Bool {len})
         (define-fun height ((b T) (n Int)) Bool {height})"
    )
}

#[test]
fn definitions_without_a_meaning_prove_nothing() {
    for (f, g) in WITHOUT_MEANING {
        let model = model(f, g, ["(= (f a) (f a))", "(= (g b) (g b))"]);
        let outcome = chc(PROBLEM, &model).outcome;
        assert!(
            matches!(outcome, Outcome::Rejected(_)),
            "{f}, {g}: {outcome:?}"
        );
        let used = self::model(f, g, ["(= n (f a))", "(= n (g b))"]);
        assert_ne!(chc(PROBLEM, &used).outcome, Outcome::Accepted, "{f}, {g}");
    }
}

#[test]
fn definitions_with_a_meaning_do_not_prove_what_is_false() {
    let size = "(ite ((_ is cons) x) (+ 1 (f (tl x))) 0)";
    let depth = "(ite ((_ is node) y) (+ 1 (ite (< (g (left y)) (g (right y)))
        (g (right y)) (g (left y)))) 0)";
    for formulas in [
        ["true", "true"],
        ["false", "false"],
        ["(= n (f a))", "(= n (g b))"],
        ["(and (= n (f a)) (not (= n 3)))", "(= n (g b))"],
        ["(and (= n (f a)) (< n 3))", "(and (= n (g b)) (< n 3))"],
        ["(<= n (f a) 2)", "(= n (+ 1 (g b)))"],
    ] {
        let outcome = chc(PROBLEM, &model(size, depth, formulas)).outcome;
        assert_ne!(outcome, Outcome::Accepted, "{formulas:?}");
    }
}
