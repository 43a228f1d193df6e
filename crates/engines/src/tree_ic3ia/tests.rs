//! Small clause systems: proofs are checked clause by clause with fresh solvers, derivations by
//! evaluation; the tree is looked at for what made it end.

use foretell_kernel::{Budget, Engine, Event, EventSink, OptionTable, Verdict};
use foretell_solver::FaultPlan;
use foretell_systems::Pred;
use foretell_terms::{Sort, TermStore};
use foretell_testkit::read::clauses;
use foretell_testkit::{Backends, over, told, with_cx};
use std::cell::Cell;

use super::tree::{Life, Order, Tree};
use super::{Search, TreeIc3ia, TreeIc3iaOptions};
use crate::abstraction::Cube;
use crate::program::Program;
use crate::tests::judge::{is_model, judged};

/// Two counters in one loop; the goal is behind it.
fn lockstep(goal: &str) -> String {
    format!(
        "(set-logic HORN)(declare-fun loop (Int Int) Bool)(declare-fun end (Int Int) Bool)
(assert (loop 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (< x 4)) (loop (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (loop x y) (>= x 4)) (end x y))))
(assert (forall ((x Int) (y Int)) (=> (and (end x y) {goal}) false)))"
    )
}

/// Two loops, one after the other; Booleans and reals.
fn tandem(goal: &str) -> String {
    format!(
        "(set-logic HORN)(declare-fun up (Real Bool) Bool)(declare-fun down (Real Bool) Bool)
(assert (forall ((x Real)) (=> (and (<= 0.0 x) (<= x 1.0)) (up x true))))
(assert (forall ((x Real) (b Bool) (d Real)) (=> (and (up x b) (< 0.0 d)) (up (+ x d) b))))
(assert (forall ((x Real) (b Bool)) (=> (and (up x b) (< 5.0 x)) (down x b))))
(assert (forall ((x Real) (b Bool)) (=> (and (down x b) (< 1.0 x)) (down (- x 1.0) b))))
(assert (forall ((x Real) (b Bool)) (=> (and (down x b) {goal}) false)))"
    )
}

/// A word that is doubled.
fn words(goal: &str) -> String {
    format!(
        "(set-logic HORN)(declare-fun p ((_ BitVec 8)) Bool)
(assert (p #x02))
(assert (forall ((x (_ BitVec 8))) (=> (p x) (p (bvshl x #x01)))))
(assert (forall ((x (_ BitVec 8))) (=> (and (p x) {goal}) false)))"
    )
}

/// Branches that meet again.
fn diamond(goal: &str) -> String {
    format!(
        "(set-logic HORN)(declare-fun a (Int) Bool)(declare-fun b (Int) Bool)
(declare-fun c (Int) Bool)(declare-fun d (Int) Bool)
(assert (forall ((x Int)) (=> (<= 0 x) (a x))))
(assert (forall ((x Int)) (=> (and (a x) (< x 5)) (b x))))
(assert (forall ((x Int)) (=> (and (a x) (>= x 5)) (c x))))
(assert (forall ((x Int)) (=> (b x) (d (+ x 1)))))
(assert (forall ((x Int)) (=> (c x) (d (- x 4)))))
(assert (forall ((x Int)) (=> (and (d x) (< x 20)) (a x))))
(assert (forall ((x Int)) (=> (and (d x) {goal}) false)))"
    )
}

fn problems() -> Vec<(String, &'static str)> {
    vec![
        (lockstep("(not (= y 4))"), "safe"),
        (lockstep("(= y 4)"), "unsafe"),
        (tandem("(<= x 0.0)"), "safe"),
        (tandem("(not b)"), "safe"),
        (tandem("(and b (< x 1.0))"), "unsafe"),
        (words("(= x #x03)"), "safe"),
        (words("(= x #x00)"), "unsafe"),
        (diamond("(<= x 0)"), "safe"),
        (diamond("(= x 1)"), "unsafe"),
        (
            "(set-logic HORN)(assert (forall ((x Int)) (=> (and (< 2 x) (< x 3)) false)))".into(),
            "safe",
        ),
        (
            "(set-logic HORN)(assert (forall ((x Int)) (=> (< 2 x) false)))".into(),
            "unsafe",
        ),
    ]
}

fn check(text: &str, options: TreeIc3iaOptions, plan: Option<FaultPlan>) -> &'static str {
    let (terms, budget) = (TermStore::new(), Budget::unlimited().with_queries(5_000));
    let system = clauses(&terms, text);
    let oracles = plan.map_or_else(Backends::default, Backends::faulty);
    over(&terms, &budget, |cx| {
        judged(&mut TreeIc3ia::new(options), &system, &oracles, cx)
    })
}

#[test]
fn small_problems_are_decided() {
    for (text, expected) in problems() {
        assert_eq!(
            check(&text, TreeIc3iaOptions::default(), None),
            expected,
            "{text}"
        );
    }
}

#[test]
fn no_option_changes_a_verdict() {
    for setting in [
        "generalize=false",
        "induction=false",
        "lift=false",
        "cover_inner=false",
        "depth_first=true",
        "reset_every=3",
        "guards=false",
        "interpolate=false",
        "preconditions=false",
        "minimise_predicates=false",
    ] {
        let (name, value) = setting.split_once('=').unwrap();
        let mut options = TreeIc3iaOptions::default();
        options.set(name, value).unwrap();
        let mut decided = 0;
        for (text, expected) in problems() {
            let found = check(&text, options.clone(), None);
            let fits = [expected, "unknown", "stopped"].contains(&found);
            assert!(fits, "{setting} says {found} for\n{text}");
            decided += usize::from(found == expected);
        }
        assert!(decided >= 8, "{setting} decides {decided}");
    }
}

#[test]
fn faults_never_become_verdicts() {
    for seed in 0..3 {
        for (text, expected) in problems() {
            let plan = FaultPlan::new(4, 40, seed);
            let found = check(&text, TreeIc3iaOptions::default(), Some(plan));
            let fits = [expected, "unknown", "stopped"].contains(&found);
            assert!(fits, "seed {seed}: {found}\n{text}");
        }
    }
}

/// Counts refinements.
#[derive(Default)]
struct Refinements(Cell<usize>);

impl EventSink for Refinements {
    fn emit(&self, event: Event<'_>) {
        let one = usize::from(matches!(event, Event::Refined));
        self.0.set(self.0.get() + one);
    }
}

/// Nodes made, how often one was covered, leaves that are covered at the end, refinements.
fn explore(text: &str, options: TreeIc3iaOptions) -> (usize, u64, usize, usize) {
    let (terms, sink) = (TermStore::new(), Refinements::default());
    let system = clauses(&terms, text);
    let (made, covered, leaves) = told(&terms, &Budget::unlimited(), &sink, |cx| {
        let program = Program::new(&system, cx.terms);
        let mut search = Search::new(&program, options, cx);
        let Ok(Verdict::Safe(proof)) = search.run(cx) else {
            panic!("safe: {text}")
        };
        assert!(is_model(&system, &proof, cx));
        let tree = &search.tree;
        let at_end = |n| matches!(tree.get(n).life, Life::Covered(_));
        (
            tree.len(),
            tree.covered,
            tree.ids().filter(|&n| at_end(n)).count(),
        )
    });
    (made, covered, leaves, sink.0.get())
}

/// Without guards as predicates nothing is known of y: predicates come from refinement, and the loop ends
/// because one of its rounds is covered by an earlier one, not because all rounds were made.
#[test]
fn loops_end_by_covering_and_refinement() {
    let options = TreeIc3iaOptions {
        guards: false,
        ..TreeIc3iaOptions::default()
    };
    let endless = lockstep("(not (= y x))").replace("(< x 4)", "true");
    let (made, covered, leaves, refined) = explore(&endless, options.clone());
    assert!(covered > 0 && leaves > 0, "{covered} {leaves}");
    assert!(refined > 0);
    assert!(made < 40, "{made} nodes");
    let (_, covered, leaves, _) = explore(&diamond("(<= x 0)"), options);
    assert!(covered > 0 && leaves > 0, "{covered} {leaves}");
}

/// Every way in which a cover can be lost opens the covered node again.
#[test]
fn a_lost_cover_opens_what_it_covered() {
    let terms = TermStore::new();
    let (place, x) = (Pred(0), terms.new_var("x", Sort::BOOL));
    let (yes, no) = (Cube::new(vec![x]), Cube::new(vec![terms.not(x)]));
    let mut tree = Tree::new();
    let root = tree.next_open(Order::Breadth).unwrap();
    let [first, second] = [0, 1].map(|rule| tree.child(root, rule, place));
    let third = tree.child(second, 2, place);
    let fourth = tree.child(root, 3, place);
    assert_eq!(tree.path(third), [1, 2]);
    assert_eq!(tree.rounds(third), [second, third]);
    assert_eq!(tree.candidates(fourth), [third, second, first]);
    tree.cover(fourth, third);
    assert_eq!(tree.get(fourth).life, Life::Covered(third));
    // A clause that the covered node has changes nothing; one that it lacks does.
    tree.add(fourth, yes.clone());
    tree.add(third, yes.clone());
    assert_eq!(tree.get(fourth).life, Life::Covered(third));
    tree.add(third, no.clone());
    assert_eq!(tree.get(fourth).life, Life::Open);
    // What is below a covered node goes, and covers nothing any more.
    tree.cover(fourth, third);
    tree.cover(second, first);
    assert_eq!(tree.get(third).life, Life::Gone);
    assert_eq!(tree.get(fourth).life, Life::Open);
    // A covered node covers nothing either.
    tree.add(second, no);
    let fifth = tree.child(root, 4, place);
    tree.cover(fifth, fourth);
    tree.cover(fourth, first);
    assert_eq!(tree.get(fifth).life, Life::Open);
    let open: Vec<_> = std::iter::from_fn(|| tree.next_open(Order::Depth)).collect();
    assert_eq!(open, [fifth, first]);
    // A refusal is forgotten when the parent learns.
    tree.refuse(first, yes.clone());
    assert!(tree.is_refused(first, &yes));
    tree.add(root, yes.clone());
    assert!(!tree.is_refused(first, &yes));
}

#[test]
fn what_is_no_linear_system_of_scalars_is_refused() {
    let refused = |text: &str| {
        with_cx(|cx| {
            let system = clauses(cx.terms, text);
            TreeIc3ia::default().accepts(&system, cx).is_err()
        })
    };
    assert!(!refused(&lockstep("(= x y)")));
    assert!(refused(
        "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
         (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))"
    ));
    assert!(refused(
        "(set-logic HORN)(declare-fun p ((Array Int Int)) Bool)
         (assert (forall ((a (Array Int Int))) (=> (= (select a 0) 0) (p a))))"
    ));
    assert!(refused(
        "(set-logic HORN)(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (=> (forall ((y Int)) (<= x (* y y))) (p x))))"
    ));
}
