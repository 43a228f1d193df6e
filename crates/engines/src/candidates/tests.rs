//! The candidate engine on programs that need candidates of a certain form, and on wrong ones beside them.

use foretell_kernel::{Alone, Budget, Engine, Verdict};
use foretell_systems::ChcSystem;
use foretell_terms::TermStore;
use foretell_testkit::read::clauses;
use foretell_testkit::{with_cx, within};

use super::Candidates;
use super::miniature;
use super::seen::{Seen, Trust};
use crate::program::Program;

/// More queries than any of the proofs here needs.
const MOST: u64 = 3000;
/// So many are enough to see that nothing wrong is proved.
const SOME: u64 = 300;

/// Whether it proves a system with so many queries at most.
fn proves(queries: u64, build: impl Fn(&TermStore) -> ChcSystem) -> bool {
    within(&Budget::unlimited().with_queries(queries), |cx| {
        let system = build(cx.terms);
        matches!(
            Candidates::default().check(&system, &Alone, cx),
            Ok(Verdict::Safe(_))
        )
    })
}

/// Selection sort; the inner loop looks for cells that are `smaller`.
fn selection_sort(s: &TermStore, smaller: &str) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (define-sort A () (Array Int Int))
         (declare-fun outer (A Int Int) Bool) (declare-fun inner (A Int Int Int Int) Bool)
         (assert (forall ((a A) (n Int)) (=> (< 0 n) (outer a 0 n))))
         (assert (forall ((a A) (i Int) (n Int))
           (=> (and (outer a i n) (< i (- n 1))) (inner a i i (+ i 1) n))))
         (assert (forall ((a A) (i Int) (m Int) (j Int) (n Int)) (=> (and (inner a i m j n) (< j n))
           (inner a i (ite ({smaller} (select a j) (select a m)) j m) (+ j 1) n))))
         (assert (forall ((a A) (i Int) (m Int) (j Int) (n Int)) (=> (and (inner a i m j n) (<= n j))
           (outer (store (store a i (select a m)) m (select a i)) (+ i 1) n))))
         (assert (forall ((a A) (i Int) (n Int) (x Int) (y Int))
           (=> (and (outer a i n) (<= (- n 1) i) (<= 0 x) (< x y) (< y n)
                    (< (select a y) (select a x))) false)))"
    );
    clauses(s, &text)
}

#[test]
fn pairs_of_a_sorted_prefix() {
    assert!(proves(MOST, |s| selection_sort(s, "<")));
    assert!(
        !proves(SOME, |s| selection_sort(s, ">")),
        "it sorts downwards"
    );
}

/// A matrix is filled row by row with 7, then read up to a row and a column.
fn matrix(s: &TermStore, read: &str) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (define-sort A () (Array Int Int Int))
         (declare-fun fill (A Int Int) Bool) (declare-fun read (A Int Int) Bool)
         (assert (forall ((a A)) (fill a 0 0)))
         (assert (forall ((a A) (i Int) (j Int)) (=> (and (fill a i j) (< i 100) (< j 150))
           (fill (store a i j 7) i (+ j 1)))))
         (assert (forall ((a A) (i Int) (j Int)) (=> (and (fill a i j) (< i 100) (<= 150 j))
           (fill a (+ i 1) 0))))
         (assert (forall ((a A) (i Int) (j Int)) (=> (and (fill a i j) (<= 100 i)) (read a 0 0))))
         (assert (forall ((a A) (i Int) (j Int))
           (=> (and (read a i j) (< j 149)) (read a i (+ j 1)))))
         (assert (forall ((a A) (i Int) (j Int))
           (=> (and (read a i j) (< i {read}) (<= 149 j)) (read a (+ i 1) 0))))
         (assert (forall ((a A) (i Int) (j Int))
           (=> (and (read a i j) (not (= (select a i j) 7))) false)))"
    );
    clauses(s, &text)
}

#[test]
fn rows_that_are_done() {
    assert!(proves(MOST, |s| matrix(s, "99")));
    assert!(!proves(SOME, |s| matrix(s, "100")), "one row too many");
}

#[test]
fn what_a_run_refutes_is_not_proposed() {
    with_cx(|cx| {
        let text = "(set-logic HORN) (define-sort A () (Array Int Int)) (declare-fun p (A Int) Bool)
             (declare-fun q (A Int) Bool)
             (assert (forall ((a A)) (p a 0)))
             (assert (forall ((a A) (i Int)) (=> (and (p a i) (< i 1000)) (p (store a i 5) (+ i 1)))))
             (assert (forall ((a A) (i Int)) (=> (and (p a i) (<= 1000 i)) (q a i))))
             (assert (forall ((a A) (i Int)) (=> (q a i) (q a (- i 1)))))
             (assert (forall ((a A) (i Int)) (=> (and (q a i) (< 1000 i)) false)))";
        let system = clauses(cx.terms, text);
        let program = Program::new(&system, cx.terms);
        let mut seen = Seen::new(&program, cx).expect("no limit");
        let t = cx.terms;
        let [y, _] = program.indices;
        let preds: Vec<_> = system.pred_ids().collect();
        let five = |p| t.eq(t.select(program.params(p)[0], &[y]), t.int(5));
        let [done, todo] = [preds[0], preds[1]];
        let written = t.lt(y, program.params(done)[1]);
        let outside = t.lt(y, t.int(0));
        let here = |clause: &[_], seen: &mut Seen| seen.refutes(done, clause, Trust::Runs, t);
        assert!(
            here(&[outside, five(done)], &mut seen),
            "cells that nobody wrote"
        );
        assert!(!here(&[outside, t.not(written), five(done)], &mut seen));
        // The second loop comes after a thousand rounds.
        let large = t.le(t.int(1000), y);
        let (any, all) = ([outside, five(todo)], [outside, large, five(todo)]);
        assert!(!seen.refutes(todo, &any, Trust::Runs, t), "not reached");
        assert!(seen.refutes(todo, &any, Trust::Miniatures, t));
        assert!(!seen.refutes(todo, &all, Trust::Miniatures, t));
    });
}

#[test]
fn a_miniature_keeps_signs_order_and_neighbours() {
    with_cx(|cx| {
        let text = "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 7))
             (assert (forall ((x Int)) (=> (and (p x) (< x 1000)) (p (+ x 999)))))
             (assert (forall ((x Int)) (=> (and (p x) (< x 5000)) (p (- x 5000)))))";
        let system = clauses(cx.terms, text);
        let program = Program::new(&system, cx.terms);
        let (mut small, rules) = miniature::of(&program, cx.terms).expect("large numerals");
        let mut of = |n: i64| {
            let term = small.apply(cx.terms, cx.terms.int(n));
            cx.terms
                .as_int(term)
                .cloned()
                .and_then(|n| i64::try_from(n).ok())
        };
        let (Some(a), Some(b), Some(c)) = (of(999), of(1000), of(5000)) else {
            panic!("numbers");
        };
        assert!(b == a + 1 && b < c && c < 20, "{a} {b} {c}");
        assert_eq!((of(7), of(-5000)), (Some(7), Some(-c)));
        assert_eq!(rules.len(), program.rules.len());
    });
}

/// A list is built cell by cell, then walked along; each cell is given back on the way. The last cell
/// of the list points to `end`.
fn list(s: &TermStore, end: &str) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (define-sort A () (Array Int Int))
         (declare-fun build (Int A A Int) Bool) (declare-fun walk (Int A A Int) Bool)
         (assert (forall ((next A)) (build 0 ((as const A) 5) next 0)))
         (assert (forall ((n Int) (kind A) (next A) (last Int) (new A)) (=> (and (build n kind next last)
             (= new (store (ite (= last 0) next (store next last (+ n 1))) (+ n 1) {end})))
           (build (+ n 1) (store kind (+ n 1) 4) new (+ n 1)))))
         (assert (forall ((n Int) (kind A) (next A) (last Int)) (=> (build n kind next last)
           (walk n kind next (ite (= last 0) 0 1)))))
         (assert (forall ((n Int) (kind A) (next A) (p Int))
           (=> (and (walk n kind next p) (not (= p 0)) (= (select kind p) 4))
             (walk n (store kind p 5) next (select next p)))))
         (assert (forall ((n Int) (kind A) (next A) (p Int))
           (=> (and (walk n kind next p) (not (= p 0)) (not (= (select kind p) 4))) false)))"
    );
    clauses(s, &text)
}

#[test]
fn a_list_in_order_is_given_back_cell_by_cell() {
    assert!(proves(MOST, |s| list(s, "0")));
    assert!(
        !proves(SOME, |s| list(s, "1")),
        "a ring ends at a cell that was given back"
    );
}

#[test]
fn short_derivations_need_no_candidates() {
    let text = |bad: &str| {
        format!(
            "(set-logic HORN) (declare-fun p (Int (Array Int Int)) Bool)
             (assert (forall ((a (Array Int Int))) (p 0 a)))
             (assert (forall ((i Int) (a (Array Int Int))) (=> (p i a) (p (+ i 1) (store a i 7)))))
             (assert (forall ((i Int) (a (Array Int Int))) (=> (and (p i a) {bad}) false)))"
        )
    };
    let verdict = |bad: &str| {
        with_cx(|cx| {
            let system = clauses(cx.terms, &text(bad));
            let verdict = Candidates::default().check(&system, &Alone, cx);
            verdict.map(|v| match v {
                Verdict::Unsafe(derivation) => Some(derivation.steps.len()),
                Verdict::Safe(_) | Verdict::Unknown(_) => None,
            })
        })
    };
    assert_eq!(verdict("(= (select a 3) 8)"), Ok(Some(2)));
    assert_eq!(verdict("(< i 0)"), Ok(None));
}
