//! Alignment by data flow.

use super::Alignment;
use crate::frozen::frozen_classes;
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

/// The classes as text: `name: pred.position …`.
fn classes(text: &str) -> Vec<String> {
    with_cx(|cx| {
        let system = clauses(cx.terms, text);
        let member =
            |&(p, k): &(foretell_systems::Pred, usize)| format!("{}.{k}", system.name(cx.terms, p));
        let line = |c: &super::Class| {
            format!(
                "{}: {}",
                c.name,
                c.members.iter().map(member).collect::<Vec<_>>().join(" ")
            )
        };
        Alignment::new(&system, cx.terms)
            .classes
            .iter()
            .map(line)
            .collect()
    })
}

const SHUFFLED: &str = "
    (define-sort A () (Array Int Int)) (declare-rel head (A Int Int))
    (declare-rel body (A Int Int)) (declare-var a A) (declare-var i Int) (declare-var n Int)
    (rule (=> true (head a 0 n)))
    (rule (=> (and (head a i n) (< i n)) (body a n i)))
    (rule (=> (body a n i) (head (store a i 1) (+ i 1) n)))
    (query (and (head a i n) (not (= (select a 0) 1))))";

#[test]
fn copies_beat_positions() {
    assert_eq!(
        classes(SHUFFLED),
        ["a: head.0 body.0", "i: head.1 body.2", "n: head.2 body.1"]
    );
}

#[test]
fn no_class_holds_two_arguments_of_one_predicate() {
    let text = "(declare-rel p (Int)) (declare-rel q (Int Int)) (declare-var x Int)
        (declare-var y Int)
        (rule (=> true (p x))) (rule (=> (p x) (q x x))) (rule (=> (q x y) (p y))) (query false)";
    assert_eq!(classes(text), ["x: p.0 q.1", "x.2: q.0"]);
}

#[test]
fn frozen_needs_every_rule_to_copy() {
    with_cx(|cx| {
        let system = clauses(cx.terms, SHUFFLED);
        let alignment = Alignment::new(&system, cx.terms);
        let classes = frozen_classes(&system, &alignment);
        let of = |p| (0..3).map(move |k| (p, k));
        let frozen = system.pred_ids().flat_map(of);
        let frozen: Vec<bool> = frozen
            .map(|(p, k)| classes[alignment.class(p, k)])
            .collect();
        assert_eq!(frozen, [false, false, true, false, true, false]);
    });
}
