//! Answers of Z3's Horn solver through the whole pipeline: each is checked on the original text.

use foretell_driver::VerdictKind;
use foretell_testkit::solve::{Plan, solve};

const SAFE: &str = "(set-logic HORN)
(declare-fun inv (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< y x)) false)))
(check-sat)";

/// Names that must be quoted, a predicate twice in one body, a fact that is used twice.
const UNSAFE: &str = "(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun |odd name| (Int Int) Bool)
(declare-fun R0 (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (> y 3)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (|odd name| (+ x y) y))))
(assert (forall ((x Int) (y Int)) (=> (|odd name| x y) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y) (p z y) (|odd name| (+ z y) y)) (R0 (+ x z y) y))))
(assert (forall ((x Int) (y Int)) (=> (and (R0 x y) (> x 12)) false)))
(check-sat)";

const ARRAYS: &str = "(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i 0) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
  (=> (and (loop a i n) (>= i n) (<= 0 k) (< k n) (not (= (select a k) 0))) false)))
(check-sat)";

/// Z3 resolves `q` and `r` away, and says of them what their clauses derive.
const RESOLVED: &str = "(set-logic HORN)
(declare-fun p (Int Int) Bool)
(declare-fun q (Int Int) Bool)
(declare-fun r (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (>= z 0)) (p (+ x z) (+ y z z)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y) (p z y) (< z y)) (q (+ x z) y))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y) (q z x)) (r (- y z)))))
(assert (forall ((x Int)) (=> (and (r x) (< x (- 5)) (> x 0)) false)))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (< y 0)) false)))
(check-sat)";

const PLAIN: &[&str] = &["passes.inline=false"];

#[test]
fn a_model_becomes_a_certified_proof() {
    for settings in [&[][..], PLAIN] {
        let said = solve(SAFE, &Plan::new("spacer").with(settings));
        assert_eq!(said.verdict, VerdictKind::Safe, "{said:?}");
    }
}

#[test]
fn a_model_with_quantifiers_gives_way_to_one_without() {
    let said = solve(RESOLVED, &Plan::new("spacer").with(PLAIN));
    assert_eq!(said.verdict, VerdictKind::Safe, "{said:?}");
    assert!(!said.words.contains("exists"), "{said:?}");
}

#[test]
fn a_refutation_is_followed_step_by_step() {
    for settings in [&[][..], PLAIN] {
        let said = solve(UNSAFE, &Plan::new("spacer").with(settings));
        assert_eq!(said.verdict, VerdictKind::Unsafe, "{said:?}");
    }
}

#[test]
fn the_quantified_mode_proves_arrays() {
    let plan = Plan::new("spacer").with(&["spacer.quantified=true"]);
    let said = solve(ARRAYS, &plan);
    assert_eq!(said.verdict, VerdictKind::Safe, "{said:?}");
}
