//! Shapes of VMT files.

use foretell_terms::TermStore;

use super::{first_error, system};
use crate::{QuestionKind, read};

const HEADER: &str = "(declare-fun x () Int) (declare-fun |x'| () Int) (declare-fun in () Int)
(define-fun .x () Int (! x :next |x'|))
";

fn refused(rest: &str, expected: &str) {
    assert_eq!(first_error(&format!("{HEADER}{rest}")), expected, "{rest}");
}

#[test]
fn the_parts_of_a_system() {
    let terms = TermStore::new();
    let text = format!(
        "{HEADER}(declare-fun y () Int)
        (define-fun i1 () Bool (! (= .x 0) :init true)) (define-fun i2 () Bool (! (> y 3) :init))
        (define-fun t1 () Bool (! (= |x'| (+ .x in)) :trans true)) (define-fun t2 () Bool (! (> in 0) :trans))
        (define-fun off () Bool (! (= x 7) :trans false))
        (define-fun p1 () Bool (! (>= x 0) :invar-property 2))
        (define-fun p0 () Bool (! (not (= x 5)) :invar-property 1))
        (define-fun l () Bool (! (= x 5) :live-property 3)) (assert true)"
    );
    let (system, properties) = system(&text, &terms);
    assert_eq!(terms.print(system.init), "(and (= x 0) (< 3 y))");
    assert_eq!(
        terms.print(system.trans),
        "(and (= |x'| (+ x in)) (< 0 in))"
    );
    let shown: Vec<(u64, String)> = properties
        .iter()
        .map(|&(n, p)| (n, terms.print(p)))
        .collect();
    assert_eq!(
        shown,
        [
            (1, "(not (= x 5))".to_string()),
            (2, "(<= 0 x)".to_string())
        ]
    );
    assert_eq!(terms.print(system.property), "(and (not (= x 5)) (<= 0 x))");
    let names =
        |list: &[foretell_terms::Term]| list.iter().map(|&t| terms.print(t)).collect::<Vec<_>>();
    // `y` has no next value but occurs in the initial states: a state variable nothing constrains.
    assert_eq!(names(&system.current()), ["x", "y"]);
    assert_eq!(names(&system.inputs), ["in"]);
    let input = read(text.as_bytes(), &terms).unwrap();
    assert_eq!(input.warnings, []);
    let last = input
        .questions
        .last()
        .map(|q| (q.number, q.name.as_deref(), q.kind));
    assert_eq!(last, Some((3, Some("l"), QuestionKind::Liveness)));
}

#[test]
fn axioms_make_rigid_parameters() {
    let terms = TermStore::new();
    let text = format!(
        "{HEADER}(declare-sort S 0) (declare-fun lt (S S) Bool) (declare-fun zero () S)
        (assert (forall ((s S)) (not (lt s zero))))
        (define-fun i () Bool (! (= x 0) :init true)) (define-fun t () Bool (! (= |x'| x) :trans true))
        (define-fun p () Bool (! (not (lt zero zero)) :invar-property 0))"
    );
    let (system, _) = system(&text, &terms);
    assert_eq!(system.params.len(), 1);
    assert!(terms.has_quantifier(system.init) && terms.has_quantifier(system.trans));
    assert!(system.inputs.is_empty());
    refused(
        "(assert (> x 0)) (define-fun i () Bool (! (= x 0) :init true))
        (define-fun t () Bool (! (= |x'| x) :trans true))
        (define-fun p () Bool (! true :invar-property 0))",
        "3:1 E020 unsupported: an assertion about the state variable `x`",
    );
}

#[test]
fn undeclared_next_values_are_unconstrained() {
    let terms = TermStore::new();
    let text = "(declare-fun x () Int) (define-fun .x () Int (! x :next ghost))
        (define-fun i () Bool (! (= x 0) :init true)) (define-fun t () Bool (! true :trans true))
        (define-fun p () Bool (! (= x 0) :invar-property 0))";
    let (system, _) = system(text, &terms);
    assert_eq!(terms.print(system.vars[0].next), "ghost");
    assert_eq!(
        read(text.as_bytes(), &terms).unwrap().warnings[0]
            .code
            .as_str(),
        "W003"
    );
}

#[test]
fn faulty_systems_are_refused() {
    const INIT: &str = "(define-fun i () Bool (! (= x 0) :init true))";
    const TRANS: &str = "(define-fun t () Bool (! (= |x'| x) :trans true))";
    const GOAL: &str = "(define-fun p () Bool (! true :invar-property 0))";
    let case = |rest: String, expected: &str| {
        let found = first_error(&format!("{HEADER}{rest}"));
        assert!(found.contains(expected), "{rest}: {found}");
    };
    case(format!("{INIT}{TRANS}"), "E031 missing property");
    case(format!("{INIT}{GOAL}"), "E031 missing transition relation");
    case(format!("{TRANS}{GOAL}"), "E031 missing initial states");
    case(
        format!("{INIT}{TRANS}{GOAL}(define-fun l () Bool (! true :live-property 0))"),
        "given twice",
    );
    case(
        format!("{INIT}{TRANS}{GOAL}(define-fun q () Bool (! true :invar-property 0))"),
        "given twice",
    );
    case(
        format!("{INIT}{TRANS}(define-fun p () Bool (! true :invar-property x))"),
        "needs a number",
    );
    case(
        format!("{INIT}{TRANS}(define-fun p () Bool (! (= x |x'|) :invar-property 0))"),
        "must not mention",
    );
    case(
        format!("{TRANS}{GOAL}(define-fun i () Int (! x :init true))"),
        "E014",
    );
    case(
        format!("{INIT}{TRANS}{GOAL}(define-fun d () Int (! (+ x 1) :next in))"),
        "only a declared constant",
    );
    case(
        format!("{INIT}{TRANS}{GOAL}(define-fun d () Int (! in :next |x'|))"),
        "something else besides",
    );
    case(
        format!("{INIT}{TRANS}{GOAL}(define-fun d () Int (! x :next in))"),
        "two next values",
    );
    case(
        format!("{INIT}{TRANS}{GOAL}(check)"),
        "E010 unknown command",
    );
}
