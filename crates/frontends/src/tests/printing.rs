//! Printed problems are read back as the same problems.

use expect_test::expect;
use foretell_terms::TermStore;

use super::{clauses, shown, system};
use crate::{print_chc, print_vmt};

#[test]
fn printed_clauses_are_read_back() {
    let text = "(set-logic HORN) (declare-sort S 0)
      (declare-fun |p q| (Int (Array Int S)) Bool) (declare-fun .1 (Int) Bool) (declare-fun f (Int) Int)
      (assert (forall ((.1 Int) (|a'b| (Array Int S))) (=> (> (f .1) 2) (|p q| .1 |a'b|))))
      (assert (forall ((x Int) (|x y| Int) (b (Array Int S)))
        (=> (and (|p q| x b) (let ((s (+ x |x y|))) (> (* s s) (f s)))
              (exists ((x S)) (forall ((|x y| Int)) (= (select b |x y|) x))))
            (.1 |x y|))))
      (assert (forall ((x Int)) (not (.1 (- x 5))))) (check-sat)";
    let terms = TermStore::new();
    let first = print_chc(&terms, &clauses(text, &terms));
    let other = TermStore::new();
    let again = clauses(&first, &other);
    let expected = expect![[r#"
        (< 2 (f .1!1)) => p q(.1!1, |a'b|)
        p q(x, b), (let ((.1 (+ x |x y|))) (and (< (f .1) (* .1 .1)) (forall ((|x y!1| Int)) (= x!1 (select b |x y!1|))))) => .1(|x y|)
        .1((- x 5)) => false"#]];
    expected.assert_eq(&shown(&again, &other).join("\n"));
}

#[test]
fn printed_systems_are_read_back() {
    let text = "(declare-sort S 0) (declare-fun .1 () Int) (declare-fun |.1 '| () Int) (declare-fun c () S)
      (declare-fun in () Int) (declare-fun le (S S) Bool) (assert (forall ((c S)) (le c c)))
      (assert (le c c)) (define-fun .x () Int (! .1 :next |.1 '|))
      (define-fun i () Bool (! (forall ((y Int)) (or (= y .x) (> (* y y) (* .x .x)))) :init true))
      (define-fun t () Bool (! (let ((s (+ in .x))) (= |.1 '| (* s s))) :trans true))
      (define-fun p () Bool (! (le c c) :invar-property 3))
      (define-fun q () Bool (! (> .x 0) :invar-property 1))";
    let terms = TermStore::new();
    let (first, properties) = system(text, &terms);
    assert_eq!(first.params.len(), 1);
    let printed = print_vmt(&terms, &first, &properties);
    let other = TermStore::new();
    let (again, properties) = system(&printed, &other);
    assert_eq!(properties.iter().map(|p| p.0).collect::<Vec<_>>(), [1, 3]);
    // The parameter is a state variable now, otherwise nothing changed.
    assert_eq!(
        (again.params.len(), again.vars.len(), again.inputs.len()),
        (0, 2, 1)
    );
    let trans = "(let ((.1 (+ .1 in))) (and (= |.1 '| (* .1 .1)) (forall ((c!1 S)) (le c!1 c!1)) (le c c) (= c c!0)))";
    assert_eq!(other.print(other.and(other.conjuncts(again.trans))), trans);
    let (third, _) = system(&print_vmt(&other, &again, &properties), &TermStore::new());
    assert_eq!(third.vars.len(), 2);
}
