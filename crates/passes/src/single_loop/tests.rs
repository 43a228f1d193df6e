//! Translation, and both ways back.

use expect_test::{Expect, expect};
use foretell_kernel::{Cx, Halt, Lift, Pass};
use foretell_systems::chc::ChcAuxiliary;
use foretell_systems::{ChcSystem, Invariant, Trace, TraceStep, TransitionSystem};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, Value};

use super::{SingleLoop, SingleLoopLift};
use crate::testing::{check_small, int, replay};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

const COUNT: &str = "
    (declare-rel p (Int)) (declare-rel q (Int)) (declare-var x Int) (declare-var y Int)
    (rule (=> true (p 0)))
    (rule (=> (and (p x) (< x 4)) (p (+ x 1))))
    (rule (=> (and (p x) (>= x 4)) (q x)))
    (query (and (q x) (not (= x 4))))";

fn translate(cx: &Cx<'_>, text: &str) -> (ChcSystem, TransitionSystem, SingleLoopLift) {
    let system = clauses(cx.terms, text);
    let (ts, lift) = SingleLoop.run(&system, cx).unwrap();
    ts.validate(cx.terms).unwrap();
    (system, ts, lift)
}

fn check(text: &str, expect: &Expect) {
    let printed = with_cx(|cx| {
        let (_, ts, _) = translate(cx, text);
        let rules = cx.terms.disjuncts(ts.trans).into_iter();
        let rules: String = rules
            .map(|r| format!("\n  {}", cx.terms.print(r)))
            .collect();
        let [init, property] = [ts.init, ts.property].map(|t| cx.terms.print(t));
        format!("init {init}\ntrans{rules}\nproperty {property}\n")
    });
    expect.assert_eq(&printed);
}

#[test]
fn rules_become_disjuncts() {
    check(
        COUNT,
        &expect![[r#"
        init (and (= 0 loc) (= 0 x))
        trans
          (and (= 0 loc) (< x 4) (= |x'| (+ x 1)) (= 0 |loc'|))
          (and (= 0 loc) (<= 4 x) (= x |x'|) (= 1 |loc'|))
        property (or (not (= 1 loc)) (= 4 x))
    "#]],
    );
}

#[test]
fn dead_variables_have_a_default_and_locals_are_inputs() {
    check(
        "(declare-rel p (Int Int)) (declare-rel q (Int)) (declare-var x Int) (declare-var y Int)
            (declare-var z Int)
         (rule (=> (> z x) (p x 0))) (rule (=> (and (p x y) (< y z)) (q z))) (rule (=> (q z) (p z z)))
         (query (and (q x) (< x z))) (query (< x 0))",
        &expect![[r#"
            init (and (= loc 2) (= 0 x) (= 0 y))
            trans
              (and (= loc 2) (< |x'| z) (= 0 |y'|) (= 0 |loc'|))
              (and (= 0 loc) (< y |x'|) (= 0 |y'|) (= |loc'| 1))
              (and (= loc 1) (= x |x'|) (= x |y'|) (= 0 |loc'|))
            property (and (or (not (= loc 1)) (<= z.2 x)) (or (not (= loc 2)) (<= 0 x.2)))
        "#]],
    );
}

#[test]
fn one_location_needs_no_variable_and_frozen_arguments_are_rigid() {
    check(
        "(define-sort A () (Array Int Int)) (declare-rel p (A Int Int)) (declare-var a A)
            (declare-var i Int) (declare-var n Int) (declare-var z Int)
         (rule (=> (> n 0) (p a 0 n))) (rule (=> (and (p a i n) (< i n)) (p (store a i 0) (+ i 1) n)))
         (query (and (p a i n) (>= i n) (<= 0 z) (< z n) (not (= (select a z) 0))))",
        &expect![[r#"
            init (and (= 0 i) (< 0 n))
            trans
              (and (< i n) (= |a'| (store a i 0)) (= |i'| (+ i 1)))
            property (not (and (<= n i) (<= 0 z) (< z n) (not (= 0 (select a z)))))
        "#]],
    );
}

fn var(ts: &TransitionSystem, cx: &Cx<'_>, name: &str) -> Term {
    let vars = ts
        .current()
        .into_iter()
        .chain(ts.params.clone())
        .chain(ts.inputs.clone());
    vars.into_iter()
        .find(|&v| cx.terms.var_name(v) == name)
        .unwrap()
}

#[test]
fn an_invariant_becomes_an_interpretation() {
    with_cx(|cx| {
        let (system, ts, lift) = translate(cx, COUNT);
        let (loc, x) = (var(&ts, cx, "loc"), var(&ts, cx, "x"));
        let four = cx.terms.int(4);
        let inv = cx.terms.and2(
            cx.terms.le(x, four),
            cx.terms
                .implies(cx.terms.eq(loc, cx.terms.int(1)), cx.terms.eq(x, four)),
        );
        let proof = lift.proof(Invariant::inductive(inv), cx).unwrap();
        assert_eq!(cx.terms.print(proof.formulas[0]), "(<= p!0 4)");
        check_small(&system, &proof, cx);
    });
}

/// Three flags in turn: that the last is not up together with `x < 0` needs three steps.
#[test]
fn an_invariant_of_several_steps_becomes_one_of_one() {
    with_cx(|cx| {
        let (system, ts, lift) = translate(
            cx,
            "(declare-rel p (Int Int Int)) (declare-var x Int) (declare-var y Int) (declare-var z Int)
             (rule (p 0 0 0)) (rule (=> (p x y z) (p (ite (< x 0) x (+ x 1)) x y)))
             (query (and (p x y z) (< z 0)))",
        );
        let proof = Invariant {
            k: 3,
            ..Invariant::inductive(ts.property)
        };
        let proof = lift.proof(proof, cx).unwrap();
        check_small(&system, &proof, cx);
        let wrong = Invariant {
            k: 2,
            ..Invariant::inductive(ts.property)
        };
        assert_eq!(
            lift.proof(wrong, cx).unwrap_err(),
            Halt::NotLifted("single_loop")
        );
    });
}

#[test]
fn goal_parameters_are_closed_and_are_prophecies_of_the_witness() {
    with_cx(|cx| {
        let (_, ts, lift) = translate(
            cx,
            "(define-sort A () (Array Int Int)) (declare-rel p (A Int)) (declare-var a A)
                (declare-var i Int) (declare-var z Int)
             (rule (=> true (p a 0))) (rule (=> (p a i) (p (store a i 0) (+ i 1))))
             (query (and (p a i) (<= 0 z) (< z i) (not (= (select a z) 0))))",
        );
        let (a, i, z) = (var(&ts, cx, "a"), var(&ts, cx, "i"), var(&ts, cx, "z"));
        let guard = cx
            .terms
            .and2(cx.terms.le(cx.terms.int(0), z), cx.terms.lt(z, i));
        let inv = cx.terms.implies(
            guard,
            cx.terms.eq(cx.terms.select(a, &[z]), cx.terms.int(0)),
        );
        let proof = lift.proof(Invariant::inductive(inv), cx).unwrap();
        assert!(
            cx.terms
                .print(proof.formulas[0])
                .starts_with("(forall ((z!")
        );
        let witness = proof.witness.unwrap();
        let ChcAuxiliary::Prophecy { var, targets } = &witness.auxiliaries[0] else {
            panic!("a prophecy")
        };
        assert_eq!(*var, z);
        let instance: Vec<Option<&str>> = targets
            .iter()
            .map(|t| t.map(|t| cx.terms.var_name(t)))
            .collect();
        assert_eq!(instance, [None, None, Some("z")]);
    });
}

/// A run given by the values of named symbols, state by state.
fn run(
    ts: &TransitionSystem,
    cx: &Cx<'_>,
    rigid: &[(&str, Value)],
    states: &[&[(&str, Value)]],
) -> Trace {
    let assign = |pairs: &[(&str, Value)]| {
        let mut all = Assignment::new();
        for (name, value) in pairs {
            all.insert(var(ts, cx, name), value.clone());
        }
        all
    };
    let step = |pairs: &&[(&str, Value)]| {
        let (mut state, mut inputs) = (assign(pairs), assign(pairs));
        state.values.retain(|v, _| !ts.inputs.contains(v));
        inputs.values.retain(|v, _| ts.inputs.contains(v));
        TraceStep { state, inputs }
    };
    Trace {
        rigid: assign(rigid),
        steps: states.iter().map(step).collect(),
    }
}

#[test]
fn a_run_becomes_a_derivation() {
    with_cx(|cx| {
        let (system, ts, lift) = translate(cx, &COUNT.replace("(not (= x 4))", "(= x y)"));
        let at = |loc: i64, x: i64| vec![("loc", int(loc)), ("x", int(x))];
        let states: Vec<_> = [at(0, 0), at(0, 1), at(0, 2), at(0, 3), at(0, 4), at(1, 4)].into();
        let states: Vec<&[(&str, Value)]> = states.iter().map(Vec::as_slice).collect();
        let trace = run(&ts, cx, &[("y", int(4))], &states);
        let derivation = lift.cex(trace, cx).unwrap();
        replay(&system, &derivation, cx).unwrap();
        let broken = run(&ts, cx, &[("y", int(4))], &[states[0], states[2]]);
        assert_eq!(
            lift.cex(broken, cx).unwrap_err(),
            Halt::NotLifted("single_loop")
        );
    });
}

#[test]
fn a_run_from_the_entry_becomes_a_derivation() {
    with_cx(|cx| {
        let (system, ts, lift) = translate(
            cx,
            "(declare-rel p (Int)) (declare-var x Int) (declare-var y Int)
             (rule (=> (> y 5) (p (+ y 1)))) (rule (=> (p x) (p (+ x 2)))) (query (and (p x) (> x 6)))",
        );
        let trace = run(
            &ts,
            cx,
            &[],
            &[
                &[("loc", int(1)), ("x", int(0)), ("y", int(6))],
                &[("loc", int(0)), ("x", int(7))],
            ],
        );
        replay(&system, &lift.cex(trace, cx).unwrap(), cx).unwrap();
    });
}

#[test]
fn non_linear_clauses_are_refused() {
    with_cx(|cx| {
        let text = "(declare-rel p (Int)) (declare-var x Int)
            (declare-var y Int) (rule (=> (and (p x) (p y)) (p (+ x y)))) (query false)";
        let system = clauses(cx.terms, text);
        assert!(matches!(
            SingleLoop.run(&system, cx),
            Err(Halt::Unsupported(_))
        ));
    });
}
