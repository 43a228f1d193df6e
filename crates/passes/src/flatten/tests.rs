//! Flattening, and both ways back.

use expect_test::{Expect, expect};
use foretell_kernel::{Lift, Pass};
use foretell_systems::ChcProof;
use foretell_terms::Value;

use super::Flatten;
use crate::testing::{int, print_clauses, replay, steps};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

const MATRIX: &str = "
    (define-sort B () (Array Int (Array Int Int)))
    (declare-rel p (B Int)) (declare-var m B) (declare-var i Int) (declare-var j Int)
    (rule (=> true (p m 0)))
    (rule (=> (and (p m i) (> (select (select m i) j) 0)) (p (store m i (store (store (select m i) j 0) 7 8)) i)))
    (query (and (p m i) (= (select (select m i) 7) 8)))";

fn check(text: &str, expect: &Expect) {
    with_cx(|cx| {
        let system = clauses(cx.terms, text);
        let (flat, _) = Flatten.run(&system, cx).unwrap();
        flat.validate(cx.terms).unwrap();
        expect.assert_eq(&print_clauses(&flat, cx));
    });
}

#[test]
fn cells_get_two_indices() {
    check(
        MATRIX,
        &expect![[r#"
        p(m, 0) <= 
        p((store (store m i j 0) i 7 8), i) <= p(m, i), (< 0 (select m i j))
        false <= p(m, i), (= 8 (select m i 7))
    "#]],
    );
}

#[test]
fn rows_that_are_passed_on_stay() {
    check(
        "(define-sort B () (Array Int (Array Int Int)))
        (declare-rel p (B)) (declare-var m B)
            (declare-var i Int) (rule (=> true (p m))) (rule (=> (p m) (p (store m i (select m 0))))) (query false)",
        &expect![[r#"
            p(m) <= 
            p((store m i (select m 0))) <= p(m)
        "#]],
    );
}

#[test]
fn rows_that_are_compared_stay() {
    check(
        "(define-sort A () (Array Int Int)) (define-sort B () (Array Int A)) (declare-rel p (B))
            (declare-var m B)
            (declare-var r A) (rule (=> true (p m))) (query (and (p m) (= r (select m 0))))",
        &expect![[r#"
            p(m) <= 
            false <= p(m), (= r (select m 0))
        "#]],
    );
}

#[test]
fn formulas_and_values_are_nested_again() {
    with_cx(|cx| {
        let system = clauses(cx.terms, MATRIX);
        let (flat, lift) = Flatten.run(&system, cx).unwrap();
        let t = cx.terms;
        let m = flat.preds[0].params[0];
        let cell = t.select(
            t.store(m, &[t.int(1), t.int(2)], t.int(3)),
            &[flat.preds[0].params[1], t.int(5)],
        );
        let proof = ChcProof {
            formulas: vec![t.le(cell, t.int(4))],
            witness: None,
        };
        let nested = lift.proof(proof, cx).unwrap();
        expect!["(<= (select (select p!0 p!1) 5) 4)"].assert_eq(&t.print(nested.formulas[0]));
        let Value::Array(mut value) = t.default_value(t.sort(m)) else {
            panic!("an array")
        };
        value.store(vec![int(0), int(3)], int(1));
        let before = Value::Array(value.clone());
        value.store(vec![int(0), int(3)], int(0));
        value.store(vec![int(0), int(7)], int(8));
        let after = Value::Array(value);
        let path: [(u32, &[(&str, Value)]); 3] = [
            (0, &[("m", before.clone())]),
            (1, &[("m", before), ("i", int(0)), ("j", int(3))]),
            (2, &[("m", after), ("i", int(0))]),
        ];
        let derivation = steps(&flat, cx, &path);
        replay(&flat, &derivation, cx).unwrap();
        replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
    });
}
