//! Small clause systems: proofs are checked clause by clause with fresh solvers, derivations by evaluation.

mod offers;

use std::cell::Cell;

use foretell_kernel::{Answer, Budget, Event, EventSink, OptionTable, SolverConfig};
use foretell_solver::FaultPlan;
use foretell_terms::{Sort, TermStore};
use foretell_testkit::read::clauses;
use foretell_testkit::{Backends, over, told};

use super::learn::{Learner, clauses as multiplied};
use super::{LazyAnnotation, LazyAnnotationOptions};
use crate::tests::judge::judged;

const MCCARTHY: &str = "(set-logic HORN)(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int)) (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 91))) false)))";

const FIBONACCI: &str = "(set-logic HORN)(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (fib n 1))))
(assert (forall ((n Int) (s Int) (r Int))
  (=> (and (> n 1) (fib (- n 1) s) (fib (- n 2) r)) (fib n (+ s r)))))
(assert (forall ((n Int) (r Int)) (=> (and (fib n r) (= n 5) (= r RESULT)) false)))";

const REALS: &str = "(set-logic HORN)(declare-fun p (Real Real) Bool)
(assert (forall ((x Real)) (=> (and (<= 0.0 x) (<= x 1.0)) (p x 0.0))))
(assert (forall ((x Real) (y Real) (d Real)) (=> (and (p x y) (< 0.0 d)) (p (+ x d) (+ y (* 2.0 d))))))
(assert (forall ((x Real) (y Real)) (=> (and (p x y) (> y (* 2.0 x))) false)))";

/// Two subgoals that have nothing to do with each other; only the first is impossible.
const TWO: &str = "(set-logic HORN)(declare-fun a (Int) Bool)(declare-fun b (Int) Bool)
(assert (a 0))(assert (forall ((x Int)) (=> (a x) (a (+ x 2)))))
(assert (b 0))(assert (forall ((y Int)) (=> (and (b y) (< y 50)) (b (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (a x) (b y) (< x 0) (> y LEAST)) false)))";

fn check(text: &str, options: LazyAnnotationOptions, plan: Option<FaultPlan>) -> &'static str {
    let oracles = plan.map_or_else(Backends::default, Backends::faulty);
    check_with(text, options, &oracles)
}

fn check_with(text: &str, options: LazyAnnotationOptions, oracles: &Backends) -> &'static str {
    let (terms, budget) = (TermStore::new(), Budget::unlimited().with_queries(30_000));
    let system = clauses(&terms, text);
    over(&terms, &budget, |cx| {
        judged(&mut LazyAnnotation::new(options), &system, oracles, cx)
    })
}

/// Oracles that never find an interpolant.
fn without_interpolants() -> Backends {
    let mut oracles = Backends::default();
    oracles.interpolation.fallback_only = true;
    oracles.interpolation.fallback = 0;
    oracles
}

fn with(setting: &str) -> LazyAnnotationOptions {
    let (name, value) = setting.split_once('=').expect("name=value");
    let mut options = LazyAnnotationOptions::default();
    options.set(name, value).expect("an option");
    options
}

#[test]
fn a_recursive_function_gets_a_summary() {
    assert_eq!(
        check(MCCARTHY, LazyAnnotationOptions::default(), None),
        "safe"
    );
}

#[test]
fn a_tree_of_calls_is_derived() {
    assert_eq!(
        check(
            &FIBONACCI.replace("RESULT", "8"),
            LazyAnnotationOptions::default(),
            None
        ),
        "unsafe"
    );
}

#[test]
fn a_finite_tree_is_refuted() {
    assert_eq!(
        check(
            &FIBONACCI.replace("RESULT", "9"),
            LazyAnnotationOptions::default(),
            None
        ),
        "safe"
    );
}

#[test]
fn half_spaces_over_the_reals() {
    assert_eq!(check(REALS, LazyAnnotationOptions::default(), None), "safe");
    assert_eq!(
        check(
            &REALS.replace("(* 2.0 x)", "x"),
            LazyAnnotationOptions::default(),
            None
        ),
        "unsafe"
    );
}

#[test]
fn every_switch_keeps_the_verdict() {
    for option in [
        "generalize=false",
        "weak=true",
        "houdini=false",
        "decisions=0",
        "decisions=2",
        "per_rule=true",
        "samples=8",
        "scores=true",
        "backjump=false",
        "sweep=false",
        "push=false",
        "eager=true",
        "tree=true",
        "direct=false",
        "states=1",
        "states=2",
        "cubes=16",
        "reached=0",
        "reached=1",
        "unwinding=1",
    ] {
        let fibonacci =
            |result: &str| check(&FIBONACCI.replace("RESULT", result), with(option), None);
        assert_eq!(fibonacci("8"), "unsafe", "{option}");
        assert_ne!(fibonacci("9"), "unsafe", "{option}");
        assert_eq!(check(REALS, with(option), None), "safe", "{option}");
        let two = TWO.replace("LEAST", "1");
        assert_eq!(check(&two, with(option), None), "safe", "{option}");
        let two = two.replace("(< x 0)", "(> x 3)");
        assert_eq!(check(&two, with(option), None), "unsafe", "{option}");
    }
}

#[test]
fn a_missing_interpolant_is_no_end() {
    let none = without_interpolants();
    let fibonacci = |result: &str| FIBONACCI.replace("RESULT", result);
    for options in [LazyAnnotationOptions::default(), with("direct=false")] {
        let check = |text: &str| check_with(text, options.clone(), &none);
        assert_eq!(check(&fibonacci("8")), "unsafe");
        assert_eq!(check(&fibonacci("9")), "safe");
        assert_eq!(check(REALS), "safe");
        assert_eq!(check(&TWO.replace("LEAST", "1")), "safe");
    }
}

#[test]
fn an_undecided_query_is_no_end() {
    for seed in 0..10 {
        let check = |text: &str| {
            let plan = FaultPlan::new(20, 0, seed);
            check(text, LazyAnnotationOptions::default(), Some(plan))
        };
        assert_eq!(check(&FIBONACCI.replace("RESULT", "8")), "unsafe", "{seed}");
        assert_eq!(check(REALS), "safe", "{seed}");
        assert_eq!(check(&TWO.replace("LEAST", "1")), "safe", "{seed}");
    }
}

/// Counts resolutions and lemmas.
#[derive(Default)]
struct Effort {
    obligations: Cell<usize>,
    lemmas: Cell<usize>,
}

impl EventSink for Effort {
    fn emit(&self, event: Event<'_>) {
        let counter = match event {
            Event::Obligation(..) => &self.obligations,
            Event::Lemma(..) => &self.lemmas,
            _ => return,
        };
        counter.set(counter.get() + 1);
    }
}

fn effort(text: &str, options: LazyAnnotationOptions) -> Effort {
    let (terms, budget) = (TermStore::new(), Budget::unlimited().with_queries(30_000));
    let (system, effort) = (clauses(&terms, text), Effort::default());
    told(&terms, &budget, &effort, |cx| {
        judged(
            &mut LazyAnnotation::new(options),
            &system,
            &Backends::default(),
            cx,
        )
    });
    effort
}

#[test]
fn a_conflict_takes_back_what_it_does_not_need() {
    // `b` is derived first, in many steps, and has no part in the conflict of `a`.
    let two = TWO.replace("LEAST", "9");
    let of = |backjump: bool, sweep: bool| {
        let options = LazyAnnotationOptions {
            backjump,
            sweep,
            reached: 0,
            ..LazyAnnotationOptions::default()
        };
        effort(&two, options).obligations.get()
    };
    let stepping = of(false, false);
    for (backjump, sweep) in [(true, false), (false, true), (true, true)] {
        let jumping = of(backjump, sweep);
        assert!(jumping < stepping, "{jumping} < {stepping}");
    }
}

#[test]
fn a_call_is_derived_once() {
    // The tree of calls has hundreds of them, twelve different ones.
    let text = FIBONACCI.replace("(= n 5)", "(= n 11)");
    let (wrong, right) = (text.replace("RESULT", "145"), text.replace("RESULT", "144"));
    assert_eq!(check(&wrong, with("reached=100"), None), "safe");
    assert_eq!(check(&right, with("reached=100"), None), "unsafe");
    let [once, anew] = ["reached=100", "reached=0"].map(|o| effort(&right, with(o)).obligations);
    assert!(2 * once.get() < anew.get(), "{once:?} {anew:?}");
}

#[test]
fn a_function_has_no_reached_facts() {
    // What is reached with one interpretation of f is not reached with another.
    let text = "(set-logic HORN)(declare-fun f (Int) Int)(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (f 0)) (p x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y) (not (= x y))) false)))";
    assert_ne!(
        check(text, LazyAnnotationOptions::default(), None),
        "unsafe"
    );
}

#[test]
fn facts_are_refuted_together() {
    let text = TWO.replace("(< x 0) (> y LEAST)", "(< (+ x y) 0)");
    let together = effort(&text, with("tree=true"));
    let stepping = effort(&text, with("tree=false"));
    assert!(together.obligations.get() < stepping.obligations.get());
    assert_eq!(check(&text, with("tree=true"), None), "safe");
}

#[test]
fn without_decisions_goals_keep_their_disjunctions() {
    // Each step goes one of three ways: a goal with decisions has one of them, one without has all.
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int) (y Int))
  (=> (and (p x) (or (= y (+ x 2)) (= y (+ x 4)) (= y (+ x 6)))) (p y))))
(assert (forall ((x Int)) (=> (and (p x) (= x 5)) false)))";
    let of = |decisions: u32| {
        let options = LazyAnnotationOptions {
            decisions,
            max_bound: 3,
            ..LazyAnnotationOptions::default()
        };
        effort(text, options).obligations.get()
    };
    let (all, one) = (of(0), of(2));
    assert!(all < one, "{all} < {one}");
}

#[test]
fn samples_of_a_prefix_make_an_interpolant() {
    let (terms, budget) = (TermStore::new(), Budget::unlimited());
    over(&terms, &budget, |cx| {
        let [x, y] = ["x", "y"].map(|name| cx.terms.fresh(name, Sort::INT));
        let number = |n: i64| cx.terms.int(n);
        let case = |n: i64| cx.terms.and([cx.terms.eq(y, number(n)), cx.terms.le(y, x)]);
        let prefix = cx.terms.or([case(3), case(8)]);
        let suffix = cx.terms.lt(x, number(1));
        let mut learner = Learner::new(LazyAnnotationOptions::default(), cx);
        let itp = learner
            .sampled(prefix, suffix, 8, cx)
            .expect("no halt")
            .expect("an interpolant");
        assert_eq!(cx.terms.free_vars(&[itp]), [x]);
        for (a, b) in [(prefix, cx.terms.not(itp)), (itp, suffix)] {
            let mut solver = cx.oracles.solver(&SolverConfig::new("test"));
            solver
                .assert(cx.terms, cx.terms.and([a, b]))
                .expect("accepted");
            assert!(matches!(solver.check(&[], cx), Ok(Answer::Unsat(_))));
        }
        assert_eq!(learner.sampled(prefix, suffix, 0, cx), Ok(None));
    });
}

#[test]
fn disjunctions_become_clauses() {
    let terms = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.fresh(name, Sort::BOOL));
    let ab = terms.and([a, b]);
    let both = terms.and([terms.or([a, c]), terms.or([b, c])]);
    assert_eq!(multiplied(&[ab, c], &terms), both);
    assert_eq!(multiplied(&[], &terms), terms.ff());
    assert_eq!(multiplied(&[ab, terms.tt()], &terms), terms.tt());
}

#[test]
fn a_failing_solver_gives_no_wrong_answer() {
    for seed in 0..20 {
        let plan = FaultPlan::new(20, 60, seed);
        assert_ne!(
            check(
                MCCARTHY,
                LazyAnnotationOptions::default(),
                Some(plan.clone())
            ),
            "unsafe"
        );
        let fibonacci = FIBONACCI.replace("RESULT", "8");
        assert_ne!(
            check(&fibonacci, LazyAnnotationOptions::default(), Some(plan)),
            "safe"
        );
    }
}
