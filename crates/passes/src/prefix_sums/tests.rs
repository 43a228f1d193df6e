//! Sums as arguments, and both ways back.

use foretell_kernel::{Halt, Lift, Pass};
use foretell_systems::ChcProof;
use foretell_terms::{Op, Value};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

use super::{Demand, PrefixSums};
use crate::testing::{int, print_clauses, replay, steps};

const ALL: PrefixSums = PrefixSums {
    demand: Demand::All,
};

const ADD: &str = "
    (define-sort A () (Array Int Int)) (declare-rel p (A Int Int Int)) (declare-rel q (A Int Int Int))
    (declare-var a A) (declare-var i Int) (declare-var n Int) (declare-var s Int)
    (rule (p a 0 n 0))
    (rule (=> (and (p a i n s) (< i n)) (p a (+ i 1) n (+ s (select a i)))))
    (rule (=> (and (p a i n s) (>= i n)) (q a (- n 1) n s)))
    (rule (=> (and (q a i n s) (>= i 0)) (q a (- i 1) n (- s (* 2 (select a i))))))
    (query (and (q a i n s) (< i 0) (GOAL s 0)))";

#[test]
fn clauses_know_what_lies_in_front_of_an_index() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &ADD.replace("GOAL", "<"));
        let (to, _) = ALL.run(&system, cx).unwrap();
        to.validate(cx.terms).unwrap();
        let text = print_clauses(&to, cx);
        assert!(text.contains("(ite (<= 0 i) (select a i) 0)"), "{text}");
        for (before, after) in system.preds.iter().zip(&to.preds) {
            assert!(before.params.len() < after.params.len());
            assert_eq!(before.params, after.params[..before.params.len()]);
        }
    });
}

#[test]
fn a_proof_names_the_function_with_its_definition() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &ADD.replace("GOAL", "<"));
        let (to, lift) = ALL.run(&system, cx).unwrap();
        let formulas = to.preds.iter().map(|p| {
            let last = p.params[p.params.len() - 1];
            cx.terms.eq(p.params[3], last)
        });
        let proof = ChcProof {
            formulas: formulas.collect(),
            witness: None,
        };
        let lifted = lift.proof(proof, cx).unwrap();
        let definitions = cx.terms.recursives(&lifted.formulas);
        let [group] = definitions.as_slice() else {
            panic!("one function")
        };
        let [definition] = group.as_slice() else {
            panic!("one function")
        };
        let own: Vec<_> = system.preds.iter().flat_map(|p| &p.params).collect();
        let vars = cx.terms.free_vars(&lifted.formulas);
        assert!(vars.iter().all(|v| own.contains(&v)));
        assert_eq!(definition.params.len(), 2);
        assert_eq!(*cx.terms.op(definition.body), Op::Ite);
    });
}

#[test]
fn a_derivation_forgets_the_sums() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &ADD.replace("GOAL", "="));
        let (to, lift) = ALL.run(&system, cx).unwrap();
        let array = system.clauses[0]
            .vars
            .iter()
            .find(|&&v| cx.terms.array_parts(cx.terms.sort(v)).is_some());
        let array: Value = cx.terms.default_value(cx.terms.sort(*array.unwrap()));
        let path: [(u32, &[(&str, Value)]); 3] = [
            (0, &[("a", array.clone()), ("n", int(0))]),
            (
                2,
                &[
                    ("a", array.clone()),
                    ("n", int(0)),
                    ("i", int(0)),
                    ("s", int(0)),
                ],
            ),
            (
                4,
                &[("a", array), ("n", int(0)), ("i", int(-1)), ("s", int(0))],
            ),
        ];
        let derivation = steps(&to, cx, &path);
        replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
    });
}

#[test]
fn systems_that_add_up_nothing_are_left_alone() {
    with_cx(|cx| {
        let text = ADD.replace("GOAL", "<").replace("(select a i)", "i");
        let outcome = ALL.run(&clauses(cx.terms, &text), cx);
        assert!(matches!(outcome, Err(Halt::Unsupported(_))));
        // The array changes while it is added up.
        let text = ADD
            .replace("GOAL", "<")
            .replace("(p a (+ i 1)", "(p (store a n 0) (+ i 1)");
        let text = text.replace("(q a (- i 1)", "(q (store a n 0) (- i 1)");
        let outcome = ALL.run(&clauses(cx.terms, &text), cx);
        assert!(matches!(outcome, Err(Halt::Unsupported(_))));
    });
}
