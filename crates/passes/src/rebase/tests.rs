//! Counting from a base, and both ways back.

use expect_test::expect;
use foretell_kernel::{Lift, Pass, Translation};
use foretell_systems::{ChcProof, Pred};
use foretell_terms::{ArrayValue, Value};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

use super::Rebase;
use crate::testing::{int, print_clauses, replay, steps};

const FILL: &str = "
    (define-sort A () (Array Int Int)) (declare-rel p (Int A Int)) (declare-var a A) (declare-var c A)
    (declare-var b Int) (declare-var i Int) (declare-var x Int) (declare-var g Bool)
    (rule (=> (> b 0) (p b a 0)))
    (rule (=> (and (p b a i) (< i 3) g (=> g (= x (+ b i))) (= c (store a x 7))) (p b c (+ i 1))))
    (query (and (p b a i) (>= i 3) (GOAL (select a (+ b 1)) 7)))";

#[test]
fn accesses_count_from_the_base() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &FILL.replace("GOAL", "distinct"));
        let (moved, lift) = Rebase.run(&system, cx).unwrap();
        moved.validate(cx.terms).unwrap();
        expect![[r#"
            p(b, a, 0) <= (< 0 b)
            p(b, c, (+ i 1)) <= p(b, a, i), (< i 3), g, (or (not g) (= i x)), (= c (store a x 7))
            false <= p(b, a, i), (<= 3 i), (not (= 7 (select a 1)))
        "#]]
        .assert_eq(&print_clauses(&moved, cx));
        // What is said of the moved array is said of the array at the base, and back.
        let params = moved.preds[0].params.clone();
        let cell = cx.terms.select(params[1], &[cx.terms.int(1)]);
        let formula = cx.terms.eq(cell, cx.terms.int(7));
        let proof = ChcProof {
            formulas: vec![formula],
            witness: None,
        };
        let back = lift.proof(proof, cx).unwrap().formulas[0];
        let at = cx.terms.add2(params[0], cx.terms.int(1));
        let cell = cx.terms.select(params[1], &[at]);
        assert_eq!(back, cx.terms.eq(cell, cx.terms.int(7)));
        assert_eq!(lift.down((Pred(0), back), cx), [(Pred(0), formula)]);
    });
}

#[test]
fn arrays_without_a_base_in_sight_stay() {
    with_cx(|cx| {
        let text = FILL.replace("GOAL", "distinct").replace("(+ b 1)", "i");
        let system = clauses(cx.terms, &text);
        let (same, _) = Rebase.run(&system, cx).unwrap();
        assert_eq!(print_clauses(&same, cx), print_clauses(&system, cx));
        let measured = FILL
            .replace("GOAL", "distinct")
            .replace("(< i 3)", "(< i b)");
        let system = clauses(cx.terms, &measured);
        let (same, _) = Rebase.run(&system, cx).unwrap();
        assert_eq!(print_clauses(&same, cx), print_clauses(&system, cx));
        let changing = FILL
            .replace("GOAL", "distinct")
            .replace("(p b c (+ i 1))", "(p (+ b 1) c (+ i 1))");
        let system = clauses(cx.terms, &changing);
        let (same, _) = Rebase.run(&system, cx).unwrap();
        assert_eq!(print_clauses(&same, cx), print_clauses(&system, cx));
    });
}

#[test]
fn constants_that_are_written_stay() {
    with_cx(|cx| {
        for array in ["a", "(store ((as const A) 0) b 7)"] {
            let text = FILL.replace("GOAL", "distinct");
            let text = text.replace("(p b a 0)", &format!("(p b {array} 0)"));
            let system = clauses(cx.terms, &text);
            let (moved, _) = Rebase.run(&system, cx).unwrap();
            let same = print_clauses(&moved, cx) == print_clauses(&system, cx);
            assert_eq!(same, array != "a", "{array}");
        }
    });
}

#[test]
fn derivations_come_back() {
    with_cx(|cx| {
        let system = clauses(cx.terms, &FILL.replace("GOAL", "="));
        let (moved, lift) = Rebase.run(&system, cx).unwrap();
        let array = |cells: i64| {
            let mut all = ArrayValue::constant(int(0), None);
            (0..cells).for_each(|k| all.store(vec![int(k)], int(7)));
            Value::Array(all)
        };
        let at = |i: i64| {
            let own = [
                ("b", int(5)),
                ("i", int(i)),
                ("a", array(i)),
                ("c", array(i + 1)),
            ];
            let local = [("x", int(i)), ("g", Value::Bool(true))];
            own.into_iter().chain(local).collect::<Vec<_>>()
        };
        let start = [("b", int(5)), ("a", array(0))];
        let (one, two, three) = (at(0), at(1), at(2));
        let last = [("b", int(5)), ("i", int(3)), ("a", array(3))];
        let path = [
            (0, &start[..]),
            (1, &one[..]),
            (1, &two[..]),
            (1, &three[..]),
            (2, &last[..]),
        ];
        let derivation = steps(&moved, cx, &path);
        replay(&moved, &derivation, cx).unwrap();
        replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
    });
}
