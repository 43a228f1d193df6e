//! Engines on small systems built by hand.

pub(crate) mod judge;

use foretell_kernel::{Alone, Engine, OptionTable, Verdict};
use foretell_systems::{ChcSystem, Pred, TransitionSystem};
use foretell_terms::{Sort, Term, TermStore};
use foretell_testkit::read::{clauses, system};
use foretell_testkit::with_cx;

use crate::{
    Bmc, Candidates, Facts, FactsOptions, KInduction, PredicateAbstraction,
    PredicateAbstractionOptions, Unfold, UnfoldOptions,
};

/// x starts at 0, y at 1; both grow by 1 as long as the guard holds.
fn counters(s: &TermStore, guard: &str, property: &str) -> TransitionSystem {
    let text = format!(
        "(declare-fun x () Int) (declare-fun x+ () Int) (define-fun .x () Int (! x :next x+))
         (declare-fun y () Int) (declare-fun y+ () Int) (define-fun .y () Int (! y :next y+))
         (define-fun .i () Bool (! (and (= x 0) (= y 1)) :init true))
         (define-fun .t () Bool (! (and (= x+ (+ x 1)) (= y+ (+ y 1)) {guard}) :trans true))
         (define-fun .p () Bool (! {property} :invar-property 0))"
    );
    system(s, &text)
}

#[test]
fn bmc_finds_the_shortest_run() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = counters(s, "true", "(< x 7)");
        let Ok(Verdict::Unsafe(trace)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("unsafe")
        };
        assert_eq!(trace.steps.len(), 8);
    });
}

#[test]
fn bmc_stops_when_every_run_has_ended() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = counters(s, "(< x 17)", "(< x y)");
        let Ok(Verdict::Unknown(reason)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("unknown")
        };
        assert_eq!(
            reason.to_string(),
            "exhausted: no run has more than 17 steps"
        );
    });
}

#[test]
fn bmc_sees_a_violation_without_successor() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = counters(s, "(< x 3)", "(< x 3)");
        let Ok(Verdict::Unsafe(trace)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("unsafe")
        };
        assert_eq!(trace.steps.len(), 4);
    });
}

#[test]
fn kinduction_proves_what_is_inductive() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = counters(s, "true", "(< x y)");
        let Ok(Verdict::Safe(proof)) = KInduction::default().check(&system, &Alone, cx) else {
            panic!("safe")
        };
        assert_eq!(proof.k, 1);
    });
}

#[test]
fn kinduction_finds_bugs_too() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = counters(s, "true", "(not (= x 4))");
        assert!(matches!(
            KInduction::default().check(&system, &Alone, cx),
            Ok(Verdict::Unsafe(_))
        ));
    });
}

/// fib(0) = fib(1) = 1, fib(n) = fib(n-1) + fib(n-2); the goal is about fib(n) = r.
fn fibonacci(s: &TermStore, goal: &str) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (declare-fun fib (Int Int) Bool)
         (assert (forall ((n Int)) (=> (and (<= 0 n) (<= n 1)) (fib n 1))))
         (assert (forall ((n Int) (a Int) (b Int))
           (=> (and (< 1 n) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
         (assert (forall ((n Int) (r Int)) (=> (and (fib n r) {goal}) false)))"
    );
    clauses(s, &text)
}

#[test]
fn unfolding_derives_through_several_premises() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = fibonacci(s, "(= n 5) (= r 8)");
        assert!(system.validate(s).is_ok());
        for lazy in [false, true] {
            let options = UnfoldOptions {
                lazy,
                ..UnfoldOptions::default()
            };
            let answer = Unfold::new(options).check(&system, &Alone, cx);
            let Ok(Verdict::Unsafe(derivation)) = answer else {
                panic!("unsafe")
            };
            assert!(derivation.steps.len() >= 10);
            for (i, step) in derivation.steps.iter().enumerate() {
                let clause = system.clause(step.clause);
                assert_eq!(s.eval_bool(clause.constraint, &step.values), Ok(true));
                assert!(step.premises.iter().all(|&p| p < i));
            }
        }
    });
}

#[test]
fn lazy_unfolding_leaves_out_what_no_model_uses() {
    // A chain of twelve; beside each of its steps a way that branches and is never open.
    let text = "(set-logic HORN)(declare-fun chain (Int) Bool)(declare-fun wide (Int) Bool)
        (assert (chain 0))(assert (wide 0))
        (assert (forall ((n Int)) (=> (chain n) (chain (+ n 1)))))
        (assert (forall ((n Int)) (=> (and (wide n) (wide (+ n 1)) (< n (- n 1))) (chain n))))
        (assert (forall ((n Int)) (=> (and (wide n) (wide (+ n 1)) (wide (+ n 2))) (wide (+ n 3)))))
        (assert (=> (chain 12) false))";
    for (lazy, is_found) in [(false, false), (true, true)] {
        with_cx(|cx| {
            let options = UnfoldOptions {
                lazy,
                max_nodes: 1000,
                ..UnfoldOptions::default()
            };
            let system = clauses(cx.terms, text);
            let answer = Unfold::new(options).check(&system, &Alone, cx);
            assert_eq!(matches!(answer, Ok(Verdict::Unsafe(_))), is_found);
        });
    }
}

#[test]
fn lazy_unfolding_sees_the_end() {
    with_cx(|cx| {
        let text = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)
            (assert (p 0))(assert (p 1))
            (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q x y))))
            (assert (forall ((x Int) (y Int)) (=> (and (q x y) (> (+ x y) 2)) false)))";
        let options = UnfoldOptions {
            lazy: true,
            ..UnfoldOptions::default()
        };
        let system = clauses(cx.terms, text);
        let answer = Unfold::new(options).check(&system, &Alone, cx);
        assert!(matches!(answer, Ok(Verdict::Safe(_))));
    });
}

/// inv(a, i, n): fills a with zeros from 0; the goal asks whether some cell below n is not `value`.
fn array_init(s: &TermStore, value: i64) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (define-sort A () (Array Int Int)) (declare-fun inv (A Int Int) Bool)
         (assert (forall ((a A) (n Int)) (inv a 0 n)))
         (assert (forall ((a A) (i Int) (n Int))
           (=> (and (inv a i n) (< i n)) (inv (store a i 0) (+ i 1) n))))
         (assert (forall ((a A) (i Int) (n Int) (z Int))
           (=> (and (inv a i n) (<= n i) (<= 0 z) (< z n) (not (= (select a z) {value}))) false)))"
    );
    clauses(s, &text)
}

#[test]
fn candidates_find_the_quantified_invariant() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = array_init(s, 0);
        let Ok(Verdict::Safe(proof)) = Candidates::default().check(&system, &Alone, cx) else {
            panic!("safe")
        };
        let formula = proof.formulas[0];
        assert!(s.has_quantifier(formula), "{}", s.print(formula));
        assert!(
            s.print(formula).len() < 300,
            "the proof keeps only what the goal needs: {}",
            s.print(formula)
        );
    });
}

#[test]
fn candidates_never_prove_what_is_false() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = array_init(s, 1);
        assert!(!matches!(
            Candidates::default().check(&system, &Alone, cx),
            Ok(Verdict::Safe(_))
        ));
    });
}

#[test]
fn facts_of_others_are_proved_again() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = array_init(s, 0);
        let (pred, i) = (Pred(0), system.preds[0].params[1]);
        let good = (pred, s.le(s.int(0), i));
        let weaker = (pred, s.le(s.int(-5), i));
        let wrong = (pred, s.le(i, s.int(3)));
        let limit = foretell_kernel::Work::of_millis(10_000);
        let left = crate::inductive_facts(&system, &[good, weaker, wrong], limit, cx).unwrap();
        assert_eq!(
            left,
            [good],
            "neither what is wrong nor what follows from the rest"
        );
    });
}

/// `∀k. 0 ≤ k < i ⇒ a[k] = 0` is kept, with `≤` it is wrong.
#[test]
fn quantified_facts_are_proved_again() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = array_init(s, 0);
        let [a, i] = system.preds[0].params[..2] else {
            panic!("array and index")
        };
        let zeros = |outside: &dyn Fn(Term) -> Term| {
            let k = s.new_var("k", Sort::INT);
            let zero = s.eq(s.select(a, &[k]), s.int(0));
            let body = s.or([s.lt(k, s.int(0)), outside(k), zero]);
            (Pred(0), s.forall(&[k], body))
        };
        let (good, wrong) = (zeros(&|k| s.le(i, k)), zeros(&|k| s.lt(i, k)));
        let bound = (Pred(0), s.le(s.int(0), i));
        let limit = foretell_kernel::Work::of_millis(10_000);
        let left = crate::inductive_facts(&system, &[bound, good, wrong], limit, cx).unwrap();
        let [first, (pred, quantified)] = left[..] else {
            panic!("two facts: {left:?}")
        };
        assert_eq!((first, pred), (bound, Pred(0)));
        assert!(s.has_quantifier(quantified) && s.print(quantified).contains("(select "));
    });
}

#[test]
fn candidates_prove_facts_about_recursion() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = fibonacci(s, "(< r 1)");
        assert!(matches!(
            Candidates::default().check(&system, &Alone, cx),
            Ok(Verdict::Safe(_))
        ));
    });
}

#[test]
fn predicate_abstraction_finds_the_backward_invariant() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = array_init(s, 0);
        let verdict = PredicateAbstraction::default().check(&system, &Alone, cx);
        let Ok(Verdict::Safe(proof)) = verdict else {
            panic!("safe")
        };
        assert!(
            s.has_quantifier(proof.formulas[0]),
            "{}",
            s.print(proof.formulas[0])
        );
    });
}

/// Without facts, without samples and with fixed ghosts: the paper's method as it is.
#[test]
fn predicate_abstraction_needs_no_deviation_for_initialisation() {
    with_cx(|cx| {
        let s = cx.terms;
        let mut options = PredicateAbstractionOptions::default();
        for name in ["facts", "samples", "instantiate"] {
            options.set(name, "false").unwrap();
        }
        let verdict = PredicateAbstraction::new(options).check(&array_init(s, 0), &Alone, cx);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))));
    });
}

#[test]
fn predicate_abstraction_derives_what_is_false() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = array_init(s, 1);
        let verdict = PredicateAbstraction::default().check(&system, &Alone, cx);
        let Ok(Verdict::Unsafe(derivation)) = verdict else {
            panic!("unsafe")
        };
        for step in &derivation.steps {
            assert_eq!(
                s.eval_bool(system.clause(step.clause).constraint, &step.values),
                Ok(true)
            );
        }
        assert_eq!(derivation.steps.last().map(|step| step.clause.0), Some(2));
    });
}

#[test]
fn predicate_abstraction_refuses_what_is_not_linear() {
    with_cx(|cx| {
        let s = cx.terms;
        assert!(
            PredicateAbstraction::default()
                .accepts(&fibonacci(s, "true"), cx)
                .is_err()
        )
    });
}

/// fib called with 20: arguments reach it, results come back; the goal is about fib(20) = r.
fn called_fibonacci(s: &TermStore, start: &str, goal: &str) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (declare-fun pre (Int) Bool) (declare-fun sum (Int Int) Bool)
         (assert (forall ((n Int)) (=> {start} (pre n))))
         (assert (forall ((n Int)) (=> (and (pre n) (< 1 n)) (pre (- n 1)))))
         (assert (forall ((n Int)) (=> (and (pre n) (< 1 n)) (pre (- n 2)))))
         (assert (forall ((n Int)) (=> (and (pre n) (<= n 1)) (sum n 1))))
         (assert (forall ((n Int) (m Int) (l Int) (a Int) (b Int))
           (=> (and (pre n) (< 1 n) (= m (- n 1)) (= l (- n 2)) (sum m a) (sum l b)) (sum n (+ a b)))))
         (assert (forall ((n Int) (r Int)) (=> (and (sum n r) {goal}) false)))"
    );
    clauses(s, &text)
}

#[test]
fn facts_prove_what_has_few_states() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = called_fibonacci(s, "(and (< 18 n) (<= n 20))", "(= n 20) (not (= r 10946))");
        let Ok(Verdict::Safe(proof)) = Facts::default().check(&system, &Alone, cx) else {
            panic!("safe")
        };
        // One equation for each of 0, 1, …, 20.
        assert_eq!(s.args(proof.formulas[0]).len(), 21);
        let Ok(Verdict::Safe(_)) = Facts::default().check(&system, &Alone, cx) else {
            panic!("safe again")
        };
    });
}

#[test]
fn facts_refute_with_a_derivation() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = called_fibonacci(s, "(= n 20)", "(= n 20) (< 10945 r)");
        let Ok(Verdict::Unsafe(derivation)) = Facts::default().check(&system, &Alone, cx) else {
            panic!("unsafe")
        };
        for (i, step) in derivation.steps.iter().enumerate() {
            let clause = system.clause(step.clause);
            assert_eq!(s.eval_bool(clause.constraint, &step.values), Ok(true));
            assert_eq!(step.premises.len(), clause.body.len());
            assert!(step.premises.iter().all(|&p| p < i));
            for (atom, &premise) in clause.body.iter().zip(&step.premises) {
                let from = &derivation.steps[premise];
                let head = system.clause(from.clause).head.as_ref().expect("a fact");
                for (&used, &derived) in atom.args.iter().zip(&head.args) {
                    assert_eq!(s.eval(used, &step.values), s.eval(derived, &from.values));
                }
            }
        }
    });
}

#[test]
fn facts_give_up_where_there_are_many() {
    with_cx(|cx| {
        let s = cx.terms;
        for start in ["(< 0 n)", "(and (< 0 n) (< n 500))"] {
            let system = called_fibonacci(s, start, "(< r 0)");
            assert!(matches!(
                Facts::default().check(&system, &Alone, cx),
                Ok(Verdict::Unknown(_))
            ));
        }
        let mut few = FactsOptions::default();
        few.set("max_facts", "10").unwrap();
        let system = called_fibonacci(s, "(= n 20)", "(< r 0)");
        let mut engine = Facts::new(few);
        assert!(matches!(
            engine.check(&system, &Alone, cx),
            Ok(Verdict::Unknown(_))
        ));
    });
}

/// A sum over an array that holds 2 everywhere, started in the first round, twice the counter in the end.
fn sum_of_array(s: &TermStore, factor: i64) -> ChcSystem {
    let text = format!(
        "(set-logic HORN) (define-sort A () (Array Int Int))
         (declare-fun fill (A Int Int) Bool) (declare-fun add (A Int Int Int) Bool)
         (assert (forall ((a A) (n Int)) (=> (< 0 n) (fill a 0 n))))
         (assert (forall ((a A) (i Int) (n Int))
           (=> (and (fill a i n) (< i n)) (fill (store a i n) (+ i 1) n))))
         (assert (forall ((a A) (i Int) (n Int) (s Int)) (=> (and (fill a i n) (<= n i)) (add a 0 n s))))
         (assert (forall ((a A) (i Int) (n Int) (s Int)) (=> (and (add a i n s) (< i n))
           (add a (+ i 1) n (+ (ite (= i 0) 0 s) (select a i))))))
         (assert (forall ((a A) (i Int) (n Int) (s Int))
           (=> (and (add a i n s) (<= n i) (not (= s (* {factor} n n)))) false)))"
    );
    clauses(s, &text)
}

#[test]
fn candidates_read_equations_off_runs() {
    with_cx(|cx| {
        let system = sum_of_array(cx.terms, 1);
        let verdict = Candidates::default().check(&system, &Alone, cx);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))), "s = n * n");
        let system = sum_of_array(cx.terms, 2);
        let verdict = Candidates::default().check(&system, &Alone, cx);
        assert!(!matches!(verdict, Ok(Verdict::Safe(_))), "wrong for n = 1");
    });
}

#[test]
fn candidates_know_how_far_loops_step() {
    with_cx(|cx| {
        let text = "(set-logic HORN) (define-sort A () (Array Int Int)) (declare-fun p (A Int) Bool)
             (declare-fun q (A Int) Bool)
             (assert (forall ((a A)) (p a 0)))
             (assert (forall ((a A) (i Int)) (=> (and (p a i) (< i 1000)) (p (store a i 5) (+ i 2)))))
             (assert (forall ((a A) (i Int)) (=> (and (p a i) (<= 1000 i)) (q a 0))))
             (assert (forall ((a A) (i Int)) (=> (and (q a i) (< i 1000)) (q a (+ i 2)))))
             (assert (forall ((a A) (i Int))
               (=> (and (q a i) (< i 1000) (not (= (select a i) 5))) false)))";
        let system = clauses(cx.terms, text);
        let verdict = Candidates::default().check(&system, &Alone, cx);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))));
    });
}

#[test]
fn short_runs_have_a_proof() {
    with_cx(|cx| {
        let s = cx.terms;
        let system = counters(s, "(< x 2)", "(< x y)");
        let Ok(Verdict::Safe(proof)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("safe")
        };
        assert!(
            !s.has_quantifier(proof.formula),
            "{}",
            s.print(proof.formula)
        );
    });
}
