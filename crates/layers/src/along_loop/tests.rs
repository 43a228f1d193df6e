//! The running form of goals, and what becomes of it.

use foretell_kernel::{Abstraction, Refinement};
use foretell_systems::{Auxiliary, Invariant, StateVar, Trace, TraceStep, TransitionSystem};
use foretell_terms::{Op, Sort, Term, TermStore, Value};
use foretell_testkit::with_cx;

use super::{Running, RunningOptions};

/// `a[i] := 0; i := i + 1` from i = 0; at the end, i ≥ n, all cells below n are 0.
struct Fill {
    system: TransitionSystem,
    i: Term,
    z: Term,
    n: Term,
}

fn fill(terms: &TermStore, start: i64) -> Fill {
    let array = terms.array_sort(&[Sort::INT], Sort::INT);
    let var = |name: &str, sort: Sort| StateVar {
        cur: terms.new_var(name, sort),
        next: terms.new_var(&format!("{name}.n"), sort),
    };
    let (a, i) = (var("a", array), var("i", Sort::INT));
    let (n, z) = (terms.new_var("n", Sort::INT), terms.new_var("z", Sort::INT));
    let zero = terms.int(0);
    let written = terms.eq(a.next, terms.store(a.cur, &[i.cur], zero));
    let trans = terms.and([
        terms.lt(i.cur, n),
        written,
        terms.eq(i.next, terms.add2(i.cur, terms.int(1))),
    ]);
    let cell = terms.not(terms.eq(terms.select(a.cur, &[z]), zero));
    let violated = terms.and([terms.le(n, i.cur), terms.le(zero, z), terms.lt(z, n), cell]);
    let init = terms.eq(i.cur, terms.int(start));
    let mut system = TransitionSystem::new(vec![a, i], init, trans, terms.not(violated));
    system.params = vec![n, z];
    Fill {
        system,
        i: i.cur,
        z,
        n,
    }
}

fn layer() -> Running {
    Running::new(RunningOptions {
        enabled: true,
        ..RunningOptions::default()
    })
}

#[test]
fn the_exit_is_replaced_by_the_counter() {
    with_cx(|cx| {
        let fill = fill(cx.terms, 0);
        let mut layer = layer();
        let system = layer.initial(&fill.system, cx).unwrap();
        let violated = cx.terms.conjuncts(cx.terms.not(system.property));
        assert!(
            violated.contains(&cx.terms.lt(fill.z, fill.i)),
            "{}",
            cx.terms.print(system.property)
        );
        assert!(!violated.contains(&cx.terms.le(fill.n, fill.i)));
        assert!(layer.stronger);
    });
}

#[test]
fn nothing_is_tried_that_fails_at_once_or_is_turned_off() {
    with_cx(|cx| {
        let late = fill(cx.terms, 5);
        let mut layer = layer();
        assert_eq!(
            layer.initial(&late.system, cx).unwrap().property,
            late.system.property
        );
        let fill = fill(cx.terms, 0);
        let mut layer = Running::new(RunningOptions::default());
        assert_eq!(
            layer.initial(&fill.system, cx).unwrap().property,
            fill.system.property
        );
    });
}

/// A state that violates the running property only drops it; one that violates the goal is genuine.
#[test]
fn a_wrong_guess_is_dropped() {
    with_cx(|cx| {
        let fill = fill(cx.terms, 0);
        let mut layer = layer();
        let mut system = layer.initial(&fill.system, cx).unwrap();
        let state = |i: i64| {
            let mut trace = Trace::default();
            trace.rigid.insert(fill.n, Value::Int(3.into()));
            trace.rigid.insert(fill.z, Value::Int(0.into()));
            let mut step = TraceStep::default();
            let a = fill.system.vars[0].cur;
            let Value::Array(mut cells) = cx.terms.default_value(cx.terms.sort(a)) else {
                panic!("an array")
            };
            cells.store(vec![Value::Int(0.into())], Value::Int(7.into()));
            step.state.insert(a, Value::Array(cells));
            step.state.insert(fill.i, Value::Int(i.into()));
            trace.steps.push(step);
            trace
        };
        let genuine = layer
            .refine(&fill.system, &mut system, &state(3), cx)
            .unwrap();
        assert!(matches!(genuine, Refinement::Genuine(_)));
        let dropped = layer
            .refine(&fill.system, &mut system, &state(1), cx)
            .unwrap();
        assert!(matches!(dropped, Refinement::Refined));
        assert_eq!(system.property, fill.system.property);
        let again = layer
            .refine(&fill.system, &mut system, &state(1), cx)
            .unwrap();
        assert!(matches!(again, Refinement::GaveUp(_)));
    });
}

/// What was assumed in the pre-state follows from the closed invariant, not from the open one.
#[test]
fn auxiliary_variables_are_closed() {
    with_cx(|cx| {
        let fill = fill(cx.terms, 0);
        let mut layer = layer();
        layer.initial(&fill.system, cx).unwrap();
        let p = cx.terms.new_var("p", Sort::INT);
        let proof = Invariant {
            formula: cx.terms.le(p, fill.i),
            k: 1,
            auxiliaries: vec![Auxiliary::Prophecy {
                var: p,
                target: fill.i,
            }],
        };
        let lifted = layer.lift(proof, cx).unwrap();
        assert!(lifted.auxiliaries.is_empty());
        assert_eq!(*cx.terms.op(lifted.formula), Op::Forall);
        assert!(!cx.terms.free_vars(&[lifted.formula]).contains(&p));
    });
}
