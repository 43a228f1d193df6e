//! Engines on small systems built by hand.

use std::time::Duration;

use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{
    Alone, Budget, Cx, Engine, Halt, Interpolator, NullSink, OptionTable, Oracles, Rng,
    ScriptAnswer, Solver, SolverConfig, Strength, Verdict,
};
use foretell_solver::Z3Oracles;
use foretell_systems::{Atom, ChcSystem, Clause, StateVar, TransitionSystem};
use foretell_terms::{Sort, TermStore};

use crate::{
    Bmc, Candidates, KInduction, PredicateAbstraction, PredicateAbstractionOptions, Unfold,
};

/// Z3 with our own interpolation.
pub(crate) struct Backends(pub(crate) Z3Oracles);

impl Oracles for Backends {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        self.0.solver(config)
    }

    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        Box::new(Itp::new(strength, InterpolateOptions::default()))
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.0.script(script, limit)
    }
}

pub(crate) fn with_cx<T>(f: impl FnOnce(&TermStore, &Cx<'_>) -> T) -> T {
    let (terms, budget, rng, oracles) = (
        TermStore::new(),
        Budget::unlimited(),
        Rng::new(0),
        Z3Oracles::default(),
    );
    f(
        &terms,
        &Cx {
            terms: &terms,
            events: &NullSink,
            budget: &budget,
            oracles: &oracles,
            rng: &rng,
        },
    )
}

/// x starts at 0, y at 1; x grows by 1 and y by 1; is x < limit?
fn counters(
    s: &TermStore,
    property: impl FnOnce(foretell_terms::Term, foretell_terms::Term) -> foretell_terms::Term,
) -> TransitionSystem {
    let var = |n: &str| StateVar {
        cur: s.new_var(n, Sort::INT),
        next: s.new_var(&format!("{n}'"), Sort::INT),
    };
    let (x, y) = (var("x"), var("y"));
    let init = s.and2(s.eq(x.cur, s.int(0)), s.eq(y.cur, s.int(1)));
    let up = |v: StateVar| s.eq(v.next, s.add2(v.cur, s.int(1)));
    let trans = s.and2(up(x), up(y));
    TransitionSystem::new(vec![x, y], init, trans, property(x.cur, y.cur))
}

#[test]
fn bmc_finds_the_shortest_run() {
    with_cx(|s, cx| {
        let system = counters(s, |x, _| s.lt(x, s.int(7)));
        let Ok(Verdict::Unsafe(trace)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("unsafe")
        };
        assert_eq!(trace.steps.len(), 8);
    });
}

#[test]
fn bmc_stops_when_every_run_has_ended() {
    with_cx(|s, cx| {
        let mut system = counters(s, |x, y| s.lt(x, y));
        let few = s.lt(system.vars[0].cur, s.int(5));
        system.trans = s.and2(system.trans, few);
        let Ok(Verdict::Unknown(reason)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("unknown")
        };
        assert_eq!(
            reason.to_string(),
            "exhausted: no run has more than 5 steps"
        );
    });
}

#[test]
fn bmc_sees_a_violation_without_successor() {
    with_cx(|s, cx| {
        let mut system = counters(s, |x, _| s.lt(x, s.int(3)));
        let x = system.vars[0].cur;
        system.trans = s.and2(system.trans, s.lt(x, s.int(3)));
        let Ok(Verdict::Unsafe(trace)) = Bmc::default().check(&system, &Alone, cx) else {
            panic!("unsafe")
        };
        assert_eq!(trace.steps.len(), 4);
    });
}

#[test]
fn kinduction_proves_what_is_inductive() {
    with_cx(|s, cx| {
        let system = counters(s, |x, y| s.lt(x, y));
        let Ok(Verdict::Safe(proof)) = KInduction::default().check(&system, &Alone, cx) else {
            panic!("safe")
        };
        assert_eq!(proof.k, 1);
    });
}

#[test]
fn kinduction_finds_bugs_too() {
    with_cx(|s, cx| {
        let system = counters(s, |x, _| s.not(s.eq(x, s.int(4))));
        assert!(matches!(
            KInduction::default().check(&system, &Alone, cx),
            Ok(Verdict::Unsafe(_))
        ));
    });
}

/// fib(0) = fib(1) = 1, fib(n) = fib(n-1) + fib(n-2); is fib(5) = 8 derivable?
fn fibonacci(s: &TermStore) -> ChcSystem {
    let mut system = ChcSystem::default();
    let fib = system.add_pred(s, "fib", &[Sort::INT, Sort::INT]);
    let vars = |names: &[&str]| {
        names
            .iter()
            .map(|n| s.new_var(n, Sort::INT))
            .collect::<Vec<_>>()
    };
    let atom = |args: &[foretell_terms::Term]| Atom {
        pred: fib,
        args: args.to_vec(),
    };
    let n = vars(&["n"]);
    let small = s.and2(s.le(s.int(0), n[0]), s.le(n[0], s.int(1)));
    system.clauses.push(Clause {
        vars: n.clone(),
        body: vec![],
        constraint: small,
        head: Some(atom(&[n[0], s.int(1)])),
        line: 1,
    });
    let v = vars(&["n", "a", "b"]);
    let body = vec![
        atom(&[s.sub(v[0], s.int(1)), v[1]]),
        atom(&[s.sub(v[0], s.int(2)), v[2]]),
    ];
    let head = Some(atom(&[v[0], s.add2(v[1], v[2])]));
    system.clauses.push(Clause {
        vars: v.clone(),
        body,
        constraint: s.lt(s.int(1), v[0]),
        head,
        line: 2,
    });
    let goal = vec![atom(&[s.int(5), s.int(8)])];
    system.clauses.push(Clause {
        vars: vec![],
        body: goal,
        constraint: s.tt(),
        head: None,
        line: 3,
    });
    system
}

#[test]
fn unfolding_derives_through_several_premises() {
    with_cx(|s, cx| {
        let system = fibonacci(s);
        assert!(system.validate(s).is_ok());
        let Ok(Verdict::Unsafe(derivation)) = Unfold::default().check(&system, &Alone, cx) else {
            panic!("unsafe")
        };
        assert!(derivation.steps.len() >= 10);
        for (i, step) in derivation.steps.iter().enumerate() {
            let clause = system.clause(step.clause);
            assert_eq!(s.eval_bool(clause.constraint, &step.values), Ok(true));
            assert!(step.premises.iter().all(|&p| p < i));
        }
    });
}

/// inv(a, i, n): fills a with zeros from 0; the goal asks whether some cell below n is not zero.
fn array_init(s: &TermStore, wrong: Option<i64>) -> ChcSystem {
    let mut system = ChcSystem::default();
    let array = s.array_sort(&[Sort::INT], Sort::INT);
    let inv = system.add_pred(s, "inv", &[array, Sort::INT, Sort::INT]);
    let vars = || {
        (
            s.new_var("a", array),
            s.new_var("i", Sort::INT),
            s.new_var("n", Sort::INT),
        )
    };
    let atom = |args: [foretell_terms::Term; 3]| Atom {
        pred: inv,
        args: args.to_vec(),
    };
    let (a, i, n) = vars();
    let start = Some(atom([a, s.int(0), n]));
    system.clauses.push(Clause {
        vars: vec![a, n],
        body: vec![],
        constraint: s.tt(),
        head: start,
        line: 1,
    });
    let _ = i;
    let (a, i, n) = vars();
    let next = Some(atom([s.store(a, &[i], s.int(0)), s.add2(i, s.int(1)), n]));
    let body = vec![atom([a, i, n])];
    system.clauses.push(Clause {
        vars: vec![a, i, n],
        body,
        constraint: s.lt(i, n),
        head: next,
        line: 2,
    });
    let (a, i, n) = vars();
    let z = s.new_var("z", Sort::INT);
    let inside = s.and([s.le(n, i), s.le(s.int(0), z), s.lt(z, n)]);
    let bad = s.not(s.eq(s.select(a, &[z]), s.int(wrong.unwrap_or(0))));
    let body = vec![atom([a, i, n])];
    system.clauses.push(Clause {
        vars: vec![a, i, n, z],
        body,
        constraint: s.and2(inside, bad),
        head: None,
        line: 3,
    });
    system
}

#[test]
fn candidates_find_the_quantified_invariant() {
    with_cx(|s, cx| {
        let system = array_init(s, None);
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
    with_cx(|s, cx| {
        let system = array_init(s, Some(1));
        assert!(!matches!(
            Candidates::default().check(&system, &Alone, cx),
            Ok(Verdict::Safe(_))
        ));
    });
}

#[test]
fn facts_of_others_are_proved_again() {
    with_cx(|s, cx| {
        let system = array_init(s, None);
        let (pred, i) = (foretell_systems::Pred(0), system.preds[0].params[1]);
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

#[test]
fn candidates_prove_facts_about_recursion() {
    with_cx(|s, cx| {
        let mut system = fibonacci(s);
        let fib = system.clauses[0].head.as_ref().map(|h| h.pred).unwrap();
        let v = [s.new_var("n", Sort::INT), s.new_var("r", Sort::INT)];
        let goal = Clause {
            vars: v.to_vec(),
            body: vec![Atom {
                pred: fib,
                args: v.to_vec(),
            }],
            constraint: s.lt(v[1], s.int(1)),
            head: None,
            line: 3,
        };
        system.clauses[2] = goal;
        assert!(matches!(
            Candidates::default().check(&system, &Alone, cx),
            Ok(Verdict::Safe(_))
        ));
    });
}

#[test]
fn predicate_abstraction_finds_the_backward_invariant() {
    with_cx(|s, cx| {
        let system = array_init(s, None);
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
    with_cx(|s, cx| {
        let mut options = PredicateAbstractionOptions::default();
        for name in ["facts", "samples", "instantiate"] {
            options.set(name, "false").unwrap();
        }
        let verdict = PredicateAbstraction::new(options).check(&array_init(s, None), &Alone, cx);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))));
    });
}

#[test]
fn predicate_abstraction_derives_what_is_false() {
    with_cx(|s, cx| {
        let system = array_init(s, Some(1));
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
    with_cx(|s, cx| {
        assert!(
            PredicateAbstraction::default()
                .accepts(&fibonacci(s), cx)
                .is_err()
        )
    });
}
