//! Inlining, and both ways back.

use expect_test::{Expect, expect};
use foretell_kernel::{Cx, Lift, Pass};
use foretell_solver::Z3Oracles;
use foretell_systems::ChcProof;
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_terms::Value;

use super::{Inline, InlineOptions};
use crate::testing::{check_small, int, print_clauses, replay, steps};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

const LOOP: &str = "
    (declare-rel start ()) (declare-rel head (Int)) (declare-rel body (Int Int))
    (declare-rel exit (Int)) (declare-rel fail ()) (declare-var x Int) (declare-var y Int)
    (rule (=> true start))
    (rule (=> start (head 0)))
    (rule (=> (and (head x) (< x 4)) (body x y)))
    (rule (=> (and (body x y) (> y 0)) (head (+ x 1))))
    (rule (=> (and (body x y) (= y 0)) (head x)))
    (rule (=> (and (head x) (>= x 4)) (exit x)))
    (rule (=> (and (exit x) (not (= x GOAL))) fail))
    (query fail)";

fn check(text: &str, options: InlineOptions, expect: &Expect) {
    with_cx(|cx| {
        let system = clauses(cx.terms, text);
        let (small, _) = Inline { options }.run(&system, cx).unwrap();
        small.validate(cx.terms).unwrap();
        expect.assert_eq(&print_clauses(&small, cx));
    });
}

#[test]
fn only_headers_stay() {
    check(
        &LOOP.replace("GOAL", "4"),
        InlineOptions::default(),
        &expect![[r#"
        head(0) <= 
        false <= head(x!2), (<= 4 x!2), (not (= 4 x!2))
        head((+ x!5 1)) <= head(x!5), (< x!5 4), (< 0 y!4)
        head(x!9) <= head(x!9), (< x!9 4)
    "#]],
    );
}

#[test]
fn growth_is_limited() {
    let text = "(declare-rel a (Int)) (declare-rel b (Int)) (declare-rel c (Int))
        (declare-var x Int)
        (rule (=> true (a 0))) (rule (=> true (a 1))) (rule (=> (a x) (b (+ x 1)))) (rule (=> (a x) (b (+ x 2))))
        (rule (=> (b x) (c (* x 2)))) (rule (=> (b x) (c (* x 3)))) (query (and (c x) (> x 9))) (query (and (c x) (< x 0)))";
    check(
        text,
        InlineOptions {
            growth: 0,
            ..InlineOptions::default()
        },
        &expect![[r#"
        b(1) <= 
        b(2) <= 
        b(2) <= 
        b(3) <= 
        false <= b(x!7), (< 9 (* 2 x!7))
        false <= b(x!5), (< 9 (* 3 x!5))
        false <= b(x!11), (< (* 2 x!11) 0)
        false <= b(x!9), (< (* 3 x!9) 0)
    "#]],
    );
}

#[test]
fn non_linear_bodies_are_resolved_atom_by_atom() {
    let text = "(declare-rel one (Int)) (declare-rel two (Int)) (declare-rel p (Int))
        (declare-var x Int) (declare-var y Int)
        (rule (=> (> x 0) (one x))) (rule (=> (and (one x) (one y)) (two (+ x y))))
        (rule (=> (and (two x) (p y)) (p (+ x y)))) (rule (=> true (p 0))) (query (and (p x) (two x) (< x 0)))";
    check(
        text,
        InlineOptions::default(),
        &expect![[r#"
        p(0) <= 
        p((+ y!7 x!8 y!9)) <= p(y!7), (< 0 y!9), (< 0 x!8)
        false <= p(x!10), (< 0 y!12), (< 0 (- x!10 y!12)), (< x!10 0)
    "#]],
    );
}

#[test]
fn proofs_come_back() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &LOOP.replace("GOAL", "4"));
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        let formula = cx.terms.le(small.preds[0].params[0], cx.terms.int(4));
        let proof = lift
            .proof(
                ChcProof {
                    formulas: vec![formula],
                    witness: None,
                },
                cx,
            )
            .unwrap();
        let printed: Vec<String> = proof.formulas.iter().map(|&f| cx.terms.print(f)).collect();
        expect![[r#"
            true
            (<= head!0 4)
            (and (<= body!0 4) (< body!0 4))
            (= exit!0 4)
            false"#]]
        .assert_eq(&printed.join("\n"));
        check_small(&system, &proof, cx);
    });
}

#[test]
fn derivations_are_expanded() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &LOOP.replace("GOAL", "5"));
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        let up = |x: i64| vec![("x", int(x)), ("y", int(7))];
        let ups: Vec<Vec<(&str, Value)>> = (0..4).map(up).collect();
        let mut path: Vec<(u32, &[(&str, Value)])> = vec![(0, &[])];
        path.extend(ups.iter().map(|u| (2, u.as_slice())));
        let last = [("x", int(4))];
        path.push((1, &last));
        let derivation = steps(&small, cx, &path);
        replay(&small, &derivation, cx).unwrap();
        let long = lift.cex(derivation, cx).unwrap();
        assert_eq!(long.steps.len(), 13);
        replay(&system, &long, cx).unwrap();
    });
}

#[test]
fn non_linear_derivations_are_expanded() {
    with_cx(|cx| {
        let text = "(declare-rel one (Int)) (declare-rel two (Int)) (declare-var x Int)
            (declare-var y Int)
            (rule (=> (> x 0) (one x))) (rule (=> (and (one x) (one y)) (two (+ x y)))) (query (and (two x) (one y) (= x y)))";
        let system = clauses(cx.terms, text);
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        assert_eq!(small.clauses.len(), 1);
        let mut derivation = steps(&small, cx, &[(0, &[])]);
        for (&var, value) in small.clauses[0].vars.iter().zip([1, 2, 3]) {
            derivation.steps[0].values.insert(var, int(value));
        }
        let outcome = lift.cex(derivation, cx).unwrap();
        assert_eq!(outcome.steps.len(), 5);
    });
}

#[test]
fn witnesses_come_back_where_queries_were_not_resolved() {
    with_cx(|cx| {
        let text = "(declare-rel start (Int)) (declare-rel p (Int)) (declare-var x Int)
            (declare-var z Int)
            (rule (=> true (start 0))) (rule (=> (start x) (p x))) (rule (=> (p x) (p (+ x 1))))
            (query (and (p x) (< x z) (< z 0)))";
        let system = clauses(cx.terms, text);
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        assert_eq!(small.preds.len(), 1);
        let t = cx.terms;
        let pi = t.new_var("pi", foretell_terms::Sort::INT);
        let invariant = t.or2(t.le(pi, small.preds[0].params[0]), t.le(t.int(0), pi));
        let query = small
            .clauses
            .iter()
            .position(foretell_systems::Clause::is_query)
            .unwrap();
        let z = |c: usize| {
            (c == query).then(|| {
                *small.clauses[c]
                    .vars
                    .iter()
                    .find(|v| t.var_name(**v) == "z")
                    .unwrap()
            })
        };
        let targets = (0..small.clauses.len()).map(z).collect();
        let auxiliaries = vec![ChcAuxiliary::Prophecy { var: pi, targets }];
        let witness = Some(ChcWitness {
            auxiliaries,
            invariants: vec![invariant],
        });
        let formula = t.le(t.int(0), small.preds[0].params[0]);
        let proof = lift
            .proof(
                ChcProof {
                    formulas: vec![formula],
                    witness,
                },
                cx,
            )
            .unwrap();
        check_small(&system, &proof, cx);
        let witness = proof.witness.unwrap();
        let ChcAuxiliary::Prophecy { targets, .. } = &witness.auxiliaries[0] else {
            panic!("a prophecy")
        };
        assert_eq!(
            targets.iter().map(Option::is_some).collect::<Vec<_>>(),
            [false, false, false, true]
        );
        let plain = ChcProof {
            formulas: witness.invariants,
            witness: None,
        };
        let rules = foretell_systems::ChcSystem {
            preds: system.preds.clone(),
            clauses: system.clauses[..3].to_vec(),
        };
        check_small(&rules, &plain, cx);
    });
}

/// `fail` is false in the end, so that the rule that derives it takes the targets of the query, over its
/// own variables.
#[test]
fn targets_of_resolved_queries_move_to_the_rule_that_fails() {
    with_cx(|cx| {
        let text = "(declare-rel p (Int)) (declare-rel fail ()) (declare-var x Int)
            (declare-var z Int)
            (rule (=> true (p 0))) (rule (=> (p x) (p (+ x 1)))) (rule (=> (and (p x) (< x z) (< z 0)) fail)) (query fail)";
        let system = clauses(cx.terms, text);
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        let t = cx.terms;
        let pi = t.new_var("pi", foretell_terms::Sort::INT);
        let past = t.new_var("past", foretell_terms::Sort::INT);
        let target = |c: &foretell_systems::Clause| {
            let named = |v: &&foretell_terms::Term| t.var_name(**v).starts_with('z');
            c.is_query()
                .then(|| t.add2(*c.vars.iter().find(named).unwrap(), past))
        };
        let targets = small.clauses.iter().map(target).collect();
        let updates = small
            .clauses
            .iter()
            .map(|c| (!c.is_query()).then_some(past))
            .collect();
        let auxiliaries = vec![
            ChcAuxiliary::History { var: past, updates },
            ChcAuxiliary::Prophecy { var: pi, targets },
        ];
        let invariants = vec![t.le(pi, small.preds[0].params[0])];
        let witness = Some(ChcWitness {
            auxiliaries,
            invariants: invariants.clone(),
        });
        let proof = lift
            .proof(
                ChcProof {
                    formulas: invariants,
                    witness,
                },
                cx,
            )
            .unwrap();
        let witness = proof.witness.unwrap();
        let ChcAuxiliary::Prophecy { targets, .. } = &witness.auxiliaries[1] else {
            panic!("a prophecy")
        };
        let printed: Vec<Option<String>> = targets.iter().map(|o| o.map(|u| t.print(u))).collect();
        assert_eq!(
            printed,
            [None, None, Some("(+ z past)".into()), Some("0".into())]
        );
        let ChcAuxiliary::History { updates, .. } = &witness.auxiliaries[0] else {
            panic!("a history")
        };
        assert_eq!(
            updates.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        assert!(t.is_false(witness.invariants[1]));
    });
}

#[test]
fn values_from_outside_need_no_quantifiers() {
    with_cx(|cx| {
        let text = "(declare-rel head (Int)) (declare-rel mid (Int)) (declare-rel low (Int))
            (declare-var x Int) (declare-var y Int)
            (rule (=> true (head 0)))
            (rule (=> (and (head x) (< x y)) (mid (+ x (* 3 y)))))
            (rule (=> (and (mid x) (< 0 y)) (low (+ x (* 3 y)))))
            (rule (=> (and (low x) (<= (- x 2) y)) (head y)))
            (query (and (head x) (< x 0)))";
        let system = clauses(cx.terms, text);
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        assert_eq!(small.preds.len(), 1);
        let formula = cx.terms.le(cx.terms.int(0), small.preds[0].params[0]);
        let proof = || ChcProof {
            formulas: vec![formula],
            witness: None,
        };
        let quantified = |p: &ChcProof| p.formulas.iter().any(|&f| cx.terms.has_quantifier(f));
        let plain = Cx {
            oracles: &Z3Oracles::default(),
            ..*cx
        };
        assert!(quantified(&lift.proof(proof(), &plain).unwrap()));
        let with = lift.proof(proof(), cx).unwrap();
        assert!(!quantified(&with));
        check_small(&system, &with, cx);
    });
}

/// Nothing may depend on the depth of a block: not the stack, and not what a step costs.
#[test]
fn a_long_chain_is_one_block() {
    const LENGTH: usize = 2000;
    with_cx(|cx| {
        let mut text = String::from("(declare-var x Int) (declare-var y Int)");
        for n in 0..LENGTH {
            text += &format!("(declare-rel p{n} (Int Int))");
        }
        text += "(rule (=> (= x y) (p0 x y)))";
        for n in 1..LENGTH {
            let before = n - 1;
            text += &format!("(rule (=> (p{before} x y) (p{n} (+ x 1) (+ y 1))))");
        }
        text += &format!("(query (and (p{} x y) (< x 5)))", LENGTH - 1);
        let system = clauses(cx.terms, &text);
        let (small, lift) = Inline::default().run(&system, cx).unwrap();
        assert_eq!((small.preds.len(), small.clauses.len()), (0, 1));
        let mut derivation = steps(&small, cx, &[(0, &[])]);
        for &var in &small.clauses[0].vars {
            derivation.steps[0].values.insert(var, int(-9000));
        }
        let long = lift.cex(derivation, cx).unwrap();
        assert_eq!(long.steps.len(), LENGTH + 1);
        replay(&system, &long, cx).unwrap();
        let proof = ChcProof {
            formulas: Vec::new(),
            witness: None,
        };
        let formulas = lift.proof(proof, cx).unwrap().formulas;
        assert_eq!(formulas.len(), LENGTH);
    });
}
