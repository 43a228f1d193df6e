//! Validation accepts what the passes do and finds what earlier tools did wrong.

use foretell_kernel::{Cx, Pass};
use foretell_systems::TransitionSystem;

use super::{Validation, reachability, translation};
use crate::single_loop::{SingleLoop, SingleLoopLift};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

const NESTED: &str = "
    (declare-rel outer (Int Int)) (declare-rel inner (Int Int Int)) (declare-var i Int)
    (declare-var j Int) (declare-var n Int) (declare-var v Int)
    (rule (=> (> n v) (outer 0 n)))
    (rule (=> (and (outer i n) (< i n)) (inner i 0 n)))
    (rule (=> (and (inner i j n) (< j v)) (inner i (+ j 1) n)))
    (rule (=> (and (inner i j n) (>= j n)) (outer (+ i 1) n)))
    (query (and (outer i n) (>= i n) (not (= i v))))";

fn translated(cx: &Cx<'_>) -> (TransitionSystem, SingleLoopLift) {
    SingleLoop.run(&clauses(cx.terms, NESTED), cx).unwrap()
}

#[test]
fn the_translation_loses_nothing() {
    with_cx(|cx| {
        let (ts, lift) = translated(cx);
        assert_eq!(translation(&ts, &lift, cx).unwrap(), Validation::default());
    });
}

#[test]
fn lost_steps_are_found() {
    with_cx(|cx| {
        let (ts, lift) = translated(cx);
        let lost = |ts: &TransitionSystem| translation(ts, &lift, cx).unwrap().lost;
        // A rule-local input that is frozen between two rules.
        let mut shared = ts.clone();
        let [a, b] = [shared.inputs[0], shared.inputs[1]];
        shared.trans = cx.terms.substitute(shared.trans, [(b, a)]);
        assert_eq!(lost(&shared), ["clause 2 (line 6) loses a step"]);
        // A guard that is taken for an assignment.
        let mut guarded = ts.clone();
        let zero = cx.terms.eq(guarded.vars[2].next, cx.terms.int(0));
        guarded.strengthen_trans(cx.terms, zero);
        assert!(!lost(&guarded).is_empty());
        let mut blind = ts.clone();
        blind.property = cx.terms.tt();
        assert_eq!(lost(&blind), ["clause 4 (line 8) loses a step"]);
    });
}

#[test]
fn unreachable_locations_are_found() {
    with_cx(|cx| {
        let before = clauses(cx.terms, NESTED);
        let after = clauses(
            cx.terms,
            &NESTED.replace("(< i n)) (inner", "(< i n) (> i n)) (inner"),
        );
        assert_eq!(
            reachability(&before, &before, 3, cx).unwrap(),
            Validation::default()
        );
        let found = reachability(&before, &after, 3, cx).unwrap();
        assert_eq!(found.lost, ["inner cannot be reached any more"]);
        assert!(found.demand().is_err());
    });
}
