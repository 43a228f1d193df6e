//! Small clause systems: proofs are checked clause by clause with fresh solvers, derivations by evaluation.

use foretell_kernel::{
    Alone, Answer, Budget, Cx, Engine, Halt, OptionTable, Reason, SolverConfig, Verdict,
};
use foretell_solver::FaultPlan;
use foretell_systems::{Atom, ChcProof, ChcSystem, Derivation};
use foretell_terms::{Term, TermStore, Value};
use foretell_testkit::read::clauses;
use foretell_testkit::{Backends, over};

use super::{LazyAnnotation, LazyAnnotationOptions};

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

fn check(text: &str, options: LazyAnnotationOptions, plan: Option<FaultPlan>) -> &'static str {
    let (terms, budget) = (TermStore::new(), Budget::unlimited().with_queries(30_000));
    let system = clauses(&terms, text);
    over(&terms, &budget, |cx| judged(&system, options, plan, cx))
}

/// What the engine says with a solver that fails, judged with one that does not.
fn judged(
    system: &ChcSystem,
    options: LazyAnnotationOptions,
    plan: Option<FaultPlan>,
    judge: &Cx<'_>,
) -> &'static str {
    let oracles = plan.map_or_else(Backends::default, Backends::faulty);
    let cx = Cx {
        oracles: &oracles,
        ..*judge
    };
    match LazyAnnotation::new(options).check(system, &Alone, &cx) {
        Ok(Verdict::Safe(proof)) => {
            assert!(is_model(system, &proof, judge));
            "safe"
        }
        Ok(Verdict::Unsafe(derivation)) => {
            assert!(derives_false(system, &derivation, cx.terms));
            "unsafe"
        }
        Ok(Verdict::Unknown(Reason::Stopped(_))) | Err(Halt::Stopped(_)) => "stopped",
        Ok(Verdict::Unknown(_)) | Err(_) => "unknown",
    }
}

fn is_model(system: &ChcSystem, proof: &ChcProof, cx: &Cx<'_>) -> bool {
    let at = |atom: &Atom| {
        let params = system.pred(atom.pred).params.iter().copied();
        cx.terms.substitute(
            proof.formulas[atom.pred.index()],
            params.zip(atom.args.iter().copied()),
        )
    };
    system.clauses.iter().all(|clause| {
        let mut parts: Vec<Term> = clause.body.iter().map(at).collect();
        parts.push(clause.constraint);
        parts.extend(clause.head.iter().map(|h| cx.terms.not(at(h))));
        let mut solver = cx.oracles.solver(&SolverConfig::new("test"));
        solver
            .assert(cx.terms, cx.terms.and(parts))
            .expect("accepted");
        matches!(solver.check(&[], cx), Ok(Answer::Unsat(_)))
    })
}

fn derives_false(system: &ChcSystem, derivation: &Derivation, terms: &TermStore) -> bool {
    let mut facts: Vec<Option<(u32, Vec<Value>)>> = Vec::new();
    for step in &derivation.steps {
        let clause = system.clause(step.clause);
        let value = |t: Term| terms.eval(t, &step.values).ok();
        let fact = |a: &Atom| {
            Some((
                a.pred.0,
                a.args
                    .iter()
                    .map(|&t| value(t))
                    .collect::<Option<Vec<_>>>()?,
            ))
        };
        let premises_fit = clause
            .body
            .iter()
            .zip(&step.premises)
            .all(|(a, &p)| fact(a).is_some() && facts[p] == fact(a));
        if value(clause.constraint) != Some(Value::Bool(true)) || !premises_fit {
            return false;
        }
        facts.push(clause.head.as_ref().and_then(fact));
    }
    derivation
        .steps
        .last()
        .is_some_and(|s| system.clause(s.clause).is_query())
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
    for option in ["generalize=false", "weak=true", "houdini=false"] {
        let (name, value) = option.split_once('=').expect("name=value");
        let mut options = LazyAnnotationOptions::default();
        options.set(name, value).expect("an option");
        assert_ne!(check(MCCARTHY, options.clone(), None), "unsafe", "{option}");
        assert_eq!(
            check(&FIBONACCI.replace("RESULT", "8"), options, None),
            "unsafe",
            "{option}"
        );
    }
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
