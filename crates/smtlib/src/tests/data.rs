//! Datatypes: declarations, terms, instances of types with parameters.

use foretell_terms::{Sort, TermStore};

use super::{good, run};
use crate::diagnostic::Code;

const TYPES: &str = "(declare-datatypes ((Lst 0) (Opt 1))
  (((nil) (cons (hd Int) (tl Lst))) (par (T) (none (some (it T))))))
  (declare-fun l () Lst) (declare-fun o () (Opt Int)) (declare-fun x () Int) ";

fn printed(term: &str) -> String {
    let terms = TermStore::new();
    let asserted = good(&format!("{TYPES}(assert {term})"), &terms);
    terms.print(asserted[0])
}

fn code(text: &str) -> Option<Code> {
    let terms = TermStore::new();
    let (_, diagnostics) = run(&format!("{TYPES}{text}"), &terms);
    diagnostics.first().map(|d| d.code)
}

#[test]
fn terms_are_read_and_simplified() {
    for (text, expected) in [
        ("(= (hd (cons x l)) x)", "true"),
        ("(= (cons x l) nil)", "false"),
        ("(= (cons x l) (cons 1 l))", "(= x 1)"),
        ("((_ is cons) l)", "((_ is cons) l)"),
        ("(is-cons l)", "((_ is cons) l)"),
        ("((_ is nil) l)", "(= l nil)"),
        ("(is-nil (nil))", "true"),
        ("(= (nil ) l)", "(= nil l)"),
        ("(= o none)", "(= o (as none (Opt Int)))"),
        ("(ite (= o none) (= none o) true)", "true"),
        ("(= o (some x))", "(= o (some x))"),
        ("(= o (as none (Opt Int)))", "(= o (as none (Opt Int)))"),
        ("(= (hd l) (it o))", "(= (hd l) (it o))"),
        (
            "(match l ((nil true) ((cons h t) (= h 1))))",
            "(or (= l nil) (= (hd l) 1))",
        ),
        (
            "(match (cons x l) ((nil false) ((cons h t) (= t l))))",
            "true",
        ),
        (
            "(match l ((nil (= x 1)) (_ (= x 2))))",
            "(ite (= l nil) (= x 1) (= x 2))",
        ),
        ("(= l ((_ update hd) (cons x l) 3))", "(= l (cons 3 l))"),
    ] {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn faults_have_a_code() {
    for (text, expected) in [
        ("(assert (= l (cons x)))", Code::Arity),
        ("(assert (= l (cons l l)))", Code::SortMismatch),
        ("(assert (= (hd o) 1))", Code::SortMismatch),
        ("(assert (= o (some true)))", Code::SortMismatch),
        ("(assert (= none none))", Code::MalformedTerm),
        ("(assert (match l ((nil true))))", Code::MalformedTerm),
        ("(assert (match x ((_ true))))", Code::MalformedTerm),
        (
            "(assert (match l ((nil true) ((cons h) true))))",
            Code::Arity,
        ),
        (
            "(assert (match l ((nil true) ((some h) true))))",
            Code::MalformedTerm,
        ),
        ("(assert (match l ((nil 1) (_ true))))", Code::SortMismatch),
        ("(assert (match l))", Code::MalformedTerm),
        ("(assert (match l x))", Code::MalformedTerm),
        ("(assert ((_ is x) l))", Code::UnknownSymbol),
        ("(declare-datatypes ((Lst 0)) (((a))))", Code::Duplicate),
        ("(declare-datatypes ((U 0)) (((nil))))", Code::Duplicate),
        (
            "(declare-datatypes ((U 0)) (((a (b U)))))",
            Code::MalformedCommand,
        ),
        (
            "(declare-datatypes ((U 0) (V 0)) (((a (b V))) ((c (d U)))))",
            Code::MalformedCommand,
        ),
        (
            "(declare-datatypes ((U 0)) (((a (b W)))))",
            Code::UnknownSort,
        ),
        ("(declare-datatypes ((U 0)) ())", Code::MalformedCommand),
        ("(declare-datatypes (U) ((U a)))", Code::MalformedCommand),
        ("(declare-datatype U ((a (b (Opt)))))", Code::Arity),
        ("(declare-datatype U ((a b)))", Code::MalformedCommand),
    ] {
        assert_eq!(code(text), Some(expected), "{text}");
    }
}

#[test]
fn a_faulty_declaration_is_reported_once() {
    let terms = TermStore::new();
    let text = "(declare-datatypes ((U 0)) (((a (b W)) (c))))
        (declare-fun u () U) (assert (= u c)) (assert (is-a u)) (assert ((_ is a) u))";
    let (_, diagnostics) = run(text, &terms);
    let shown: Vec<_> = diagnostics
        .iter()
        .filter(|d| d.code != Code::Cascade)
        .collect();
    assert_eq!(shown.len(), 1, "{diagnostics:?}");
}

#[test]
fn names_bound_by_a_pattern_end_with_the_case() {
    let text = "(assert (match l (((cons x t) (= x 1)) (nil (= x 2)))))";
    assert_eq!(code(text), None);
    let unbound = "(assert (and (match l (((cons h t) true) (nil true))) (= h 1)))";
    assert_eq!(code(unbound), Some(Code::UnknownSymbol));
}

#[test]
fn instances_are_shared_and_print_with_their_declarations() {
    let terms = TermStore::new();
    let text = format!(
        "{TYPES}(declare-fun a () (Opt (Opt Int))) (declare-fun b () (Opt (Opt Int)))
         (assert (= a b)) (assert (= a (some (some x)))) (assert (= l nil))"
    );
    let asserted = good(&text, &terms);
    let sort = terms.sort(terms.args(asserted[0])[0]);
    assert_eq!(terms.print_sort(sort), "(Opt (Opt Int))");
    let commands = terms.print_data_declarations(&[sort, Sort::INT]);
    assert_eq!(commands.len(), 1, "{commands:?}");
    assert!(commands[0].starts_with("(declare-datatypes ((Lst 0) (Opt 1))"));
}
