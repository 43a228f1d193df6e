//! Splitting into places, and both ways back.

use expect_test::expect;
use foretell_kernel::{Lift, Pass};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{ChcProof, ChcSystem, Clause};
use foretell_terms::Sort;

use super::Locations;
use crate::testing::{check_small, int, print_clauses, replay, steps};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

/// Counts to four in three places: 00, 01 (the body) and 10 (the exit).
const COUNTER: &str = "
    (declare-rel s (Bool Bool Int)) (declare-var a Bool) (declare-var b Bool)
    (declare-var c Bool) (declare-var d Bool)
    (declare-var x Int) (declare-var y Int) (declare-var z Int)
    (rule (=> (and (not a) (not b) (= x 0)) (s a b x)))
    (rule (=> (and (s a b x) (or (and (not a) (not b) (not c) d (= y (+ x 1)))
                           (and (not a) b (not c) (not d) (< x 4) (= y x))
                           (and (not a) b (>= x 4) c (not d) (= y x)))) (s c d y)))
    (query (and (s a b x) a GOAL))";

#[test]
fn every_place_has_its_predicate() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &COUNTER.replace("GOAL", "(> x 4)"));
        let (split, _) = Locations.run(&system, cx).unwrap();
        split.validate(cx.terms).unwrap();
        expect![[r#"
            s@0(x!2) <= (= 0 x!2)
            s@1(y!8) <= s@0(x!7), (= y!8 (+ x!7 1))
            s@0(y!14) <= s@1(x!13), (< x!13 4), (= x!13 y!14)
            s@2(y!20) <= s@1(x!19), (<= 4 x!19), (= x!19 y!20)
            false <= s@2(x!23), (< 4 x!23)
        "#]]
        .assert_eq(&print_clauses(&split, cx));
    });
}

#[test]
fn booleans_that_are_data_stay() {
    with_cx(|cx| {
        let text = "(declare-rel s (Bool Int)) (declare-var a Bool) (declare-var b Bool)
            (declare-var x Int)
            (rule (=> true (s a 0))) (rule (=> (s a x) (s b (+ x 1)))) (query (and (s a x) a (< x 0)))";
        let system = clauses(cx.terms, text);
        let (same, lift) = Locations.run(&system, cx).unwrap();
        assert_eq!(print_clauses(&same, cx), print_clauses(&system, cx));
        let proof = ChcProof {
            formulas: vec![cx.terms.tt()],
            witness: None,
        };
        assert_eq!(lift.proof(proof, cx).unwrap().formulas, [cx.terms.tt()]);
    });
}

/// Bounds of the counter at each place, by name.
fn bounds(split: &ChcSystem, cx: &foretell_kernel::Cx<'_>) -> Vec<foretell_terms::Term> {
    let at = |(i, bound): (usize, i64)| cx.terms.le(split.preds[i].params[0], cx.terms.int(bound));
    [3, 4, 4].into_iter().enumerate().map(at).collect()
}

#[test]
fn proofs_come_back() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &COUNTER.replace("GOAL", "(> x 4)"));
        let (split, lift) = Locations.run(&system, cx).unwrap();
        let proof = ChcProof {
            formulas: bounds(&split, cx),
            witness: None,
        };
        let proof = lift.proof(proof, cx).unwrap();
        assert_eq!(proof.formulas.len(), 1);
        check_small(&system, &proof, cx);
    });
}

#[test]
fn derivations_come_back() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &COUNTER.replace("GOAL", "(= x 4)"));
        let (split, lift) = Locations.run(&system, cx).unwrap();
        let entry = [("x", int(0))];
        let up: Vec<_> = (0..4).map(|x| [("x", int(x)), ("y", int(x + 1))]).collect();
        let same: Vec<_> = (1..5).map(|x| [("x", int(x)), ("y", int(x))]).collect();
        let last = [("x", int(4))];
        let mut path: Vec<(u32, &[_])> = vec![(0, &entry)];
        for x in 0..4 {
            path.push((1, &up[x]));
            path.push((if x == 3 { 3 } else { 2 }, &same[x]));
        }
        path.push((4, &last));
        let derivation = steps(&split, cx, &path);
        replay(&split, &derivation, cx).unwrap();
        replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
    });
}

#[test]
fn witnesses_come_back() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &COUNTER.replace("GOAL", "(< z x) (> z 4)"));
        let (split, lift) = Locations.run(&system, cx).unwrap();
        let t = cx.terms;
        let pi = t.new_var("pi", Sort::INT);
        let named_z = |c: &Clause| {
            c.vars
                .iter()
                .copied()
                .find(|v| t.var_name(*v).starts_with('z'))
        };
        let targets = split
            .clauses
            .iter()
            .map(|c| named_z(c).filter(|_| c.is_query()))
            .collect();
        let invariants = bounds(&split, cx)
            .into_iter()
            .map(|b| t.or2(b, t.le(pi, t.int(4))))
            .collect();
        let auxiliaries = vec![ChcAuxiliary::Prophecy { var: pi, targets }];
        let witness = Some(ChcWitness {
            auxiliaries,
            invariants,
        });
        let proof = ChcProof {
            formulas: bounds(&split, cx),
            witness,
        };
        let witness = lift.proof(proof, cx).unwrap().witness.unwrap();
        let ChcAuxiliary::Prophecy { targets, .. } = &witness.auxiliaries[0] else {
            panic!("a prophecy")
        };
        let query = named_z(&system.clauses[2]).unwrap();
        assert!(targets[..2].iter().all(Option::is_none));
        assert!(t.free_vars(&[targets[2].unwrap()]).contains(&query));
        // The target is the query's own variable wherever control can be.
        let rules = ChcSystem {
            preds: system.preds.clone(),
            clauses: system.clauses[..2].to_vec(),
        };
        check_small(
            &rules,
            &ChcProof {
                formulas: witness.invariants,
                witness: None,
            },
            cx,
        );
    });
}

/// The places of [`COUNTER`] in a number.
const NUMBERED: &str = "
    (declare-rel s (Int Int)) (declare-var p Int) (declare-var q Int) (declare-var x Int)
    (declare-var y Int)
    (rule (=> (and (= p 2) (= x 0)) (s p x)))
    (rule (=> (and (s p x) (or (and (= p 2) (= q 5) (= y (+ x 1)))
                           (and (= p 5) (= q 2) (< x 4) (= y x))
                           (and (= p 5) (= q 9) (>= x 4) (= y x)))) (s q y)))
    (query (and (s p x) (= p 9) GOAL))";

#[test]
fn a_number_may_be_control_and_both_ways_lead_back() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &NUMBERED.replace("GOAL", "(> x 4)"));
        let (split, lift) = Locations.run(&system, cx).unwrap();
        split.validate(cx.terms).unwrap();
        assert_eq!((split.preds.len(), split.clauses.len()), (3, 5));
        let at =
            |(i, bound): (usize, i64)| cx.terms.le(split.preds[i].params[0], cx.terms.int(bound));
        let proof = ChcProof {
            formulas: [3, 4, 4].into_iter().enumerate().map(at).collect(),
            witness: None,
        };
        check_small(&system, &lift.proof(proof, cx).unwrap(), cx);
    });
}

#[test]
fn counters_and_frozen_numbers_stay() {
    with_cx(|cx| {
        let text = "(declare-rel s (Int Int)) (declare-var k Int) (declare-var x Int)
            (rule (=> (or (= k 1) (= k 2)) (s k 0))) (rule (=> (and (s k x) (< x 9)) (s k (+ x 1))))
            (query (and (s k x) (> x 9)))";
        let system = clauses(cx.terms, text);
        let (same, _) = Locations.run(&system, cx).unwrap();
        assert_eq!(print_clauses(&same, cx), print_clauses(&system, cx));
    });
}
