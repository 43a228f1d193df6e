//! Tests on tiny systems: every verdict is checked, invariants by fresh queries, runs by evaluation.

use foretell_kernel::{Answer, Budget, Cx, Engine, NullSink, Rng, SolverConfig, Verdict};
use foretell_solver::Z3Oracles;
use foretell_systems::{Invariant, StateVar, Trace, TransitionSystem};
use foretell_terms::{Sort, Term, TermStore};

use super::{Ic3ia, Ic3iaOptions};

fn run(system: &TransitionSystem, terms: &TermStore, options: Ic3iaOptions) -> &'static str {
    let (budget, oracles, rng) =
        (Budget::unlimited().with_queries(20_000), Z3Oracles::default(), Rng::new(0));
    let cx = Cx { terms, events: &NullSink, budget: &budget, oracles: &oracles, rng: &rng };
    let mut engine = Ic3ia::new(Ic3iaOptions { paranoid: true, ..options });
    match engine.check(system, &cx).unwrap() {
        Verdict::Safe(proof) => {
            assert_inductive(&proof, system, &cx);
            "safe"
        }
        Verdict::Unsafe(trace) => {
            assert_run(&trace, system, terms);
            "unsafe"
        }
        Verdict::Unknown(reason) => panic!("unknown: {reason}"),
    }
}

fn assert_valid(premise: Term, conclusion: Term, cx: &Cx<'_>) {
    let mut solver = cx.oracles.solver(&SolverConfig::new("test"));
    solver.assert(cx.terms, premise).unwrap();
    solver.assert(cx.terms, cx.terms.not(conclusion)).unwrap();
    assert!(matches!(solver.check(&[], cx).unwrap(), Answer::Unsat(_)), "{}", cx.terms.print(conclusion));
}

fn assert_inductive(proof: &Invariant, system: &TransitionSystem, cx: &Cx<'_>) {
    assert_eq!(proof.k, 1);
    assert_valid(system.init, proof.formula, cx);
    let step = cx.terms.and2(proof.formula, system.trans);
    assert_valid(step, system.next(cx.terms, proof.formula), cx);
    assert_valid(proof.formula, system.property, cx);
}

fn assert_run(trace: &Trace, system: &TransitionSystem, terms: &TermStore) {
    let mut values = trace.rigid.clone();
    for (i, step) in trace.steps.iter().enumerate() {
        values.values.extend(step.state.values.clone());
        if i == 0 {
            assert_eq!(terms.eval_bool(system.init, &values), Ok(true));
        }
        let Some(next) = trace.steps.get(i + 1) else {
            assert_eq!(terms.eval_bool(system.property, &values), Ok(false));
            return;
        };
        values.values.extend(step.inputs.values.clone());
        for var in &system.vars {
            values.insert(var.next, next.state.get(var.cur).unwrap().clone());
        }
        assert_eq!(terms.eval_bool(system.trans, &values), Ok(true));
    }
    panic!("a run has at least one state");
}

fn vars(s: &TermStore, names: &str, sort: Sort) -> Vec<StateVar> {
    names.split(' ').map(|n| StateVar { cur: s.var(n, sort), next: s.var(&format!("{n}'"), sort) }).collect()
}

/// x and y count together; y never overtakes x.
fn two_counters(s: &TermStore, bound: i64) -> TransitionSystem {
    let v = vars(s, "x y", Sort::INT);
    let init = s.and2(s.eq(v[0].cur, s.int(0)), s.eq(v[1].cur, s.int(0)));
    let up = |x: &StateVar| s.eq(x.next, s.add2(x.cur, s.int(1)));
    let stay = |x: &StateVar| s.eq(x.next, x.cur);
    let trans = s.or2(s.and2(up(&v[0]), up(&v[1])), s.and2(up(&v[0]), stay(&v[1])));
    let property = s.le(v[1].cur, s.add2(v[0].cur, s.int(bound)));
    TransitionSystem::new(v, init, trans, property)
}

#[test]
fn safe_counters() {
    let s = TermStore::new();
    assert_eq!(run(&two_counters(&s, 0), &s, Ic3iaOptions::default()), "safe");
    assert_eq!(run(&two_counters(&s, 3), &s, Ic3iaOptions::default()), "safe");
}

/// x counts from 0 to 5; bad is x = 5, or x = 6.
fn loop_to_five(s: &TermStore, bad: i64) -> TransitionSystem {
    let v = vars(s, "x", Sort::INT);
    let init = s.eq(v[0].cur, s.int(0));
    let trans = s.and2(s.lt(v[0].cur, s.int(5)), s.eq(v[0].next, s.add2(v[0].cur, s.int(1))));
    let property = s.not(s.eq(v[0].cur, s.int(bad)));
    TransitionSystem::new(v, init, trans, property)
}

#[test]
fn a_bounded_loop() {
    let s = TermStore::new();
    assert_eq!(run(&loop_to_five(&s, 5), &s, Ic3iaOptions::default()), "unsafe");
    assert_eq!(run(&loop_to_five(&s, 6), &s, Ic3iaOptions::default()), "safe");
}
