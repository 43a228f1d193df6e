//! Text in, problem or errors out.

mod corpus;
mod horn;
mod printing;
mod vmt;

use foretell_smtlib::LineIndex;
use foretell_systems::{ChcSystem, TransitionSystem};
use foretell_terms::{Term, TermStore};

use crate::{Format, Problem, detect, read};

/// The clauses of a text, which must be read without error.
fn clauses(text: &str, terms: &TermStore) -> ChcSystem {
    match read(text.as_bytes(), terms).map(|input| input.problem) {
        Ok(Problem::Chc(system)) => {
            assert_eq!(system.validate(terms), Ok(()), "{text}");
            system
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// The transition system of a text, which must be read without error.
fn system(text: &str, terms: &TermStore) -> (TransitionSystem, Vec<(u64, Term)>) {
    match read(text.as_bytes(), terms).map(|input| input.problem) {
        Ok(Problem::Vmt { system, properties }) => {
            assert_eq!(system.validate(terms), Ok(()), "{text}");
            (system, properties)
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// The clauses in one line each: `body, constraint => head`.
fn shown(system: &ChcSystem, terms: &TermStore) -> Vec<String> {
    let atom = |a: &foretell_systems::Atom| {
        let args: Vec<String> = a.args.iter().map(|&t| terms.print(t)).collect();
        format!("{}({})", system.name(terms, a.pred), args.join(", "))
    };
    let clause = |c: &foretell_systems::Clause| {
        let mut body: Vec<String> = c.body.iter().map(atom).collect();
        if !terms.is_true(c.constraint) {
            body.push(terms.print(c.constraint));
        }
        format!(
            "{} => {}",
            body.join(", "),
            c.head.as_ref().map_or("false".into(), atom)
        )
    };
    system.clauses.iter().map(clause).collect()
}

/// The first error of a text as `line:column code message`.
fn first_error(text: &str) -> String {
    let terms = TermStore::new();
    let lines = LineIndex::new(text.as_bytes());
    match read(text.as_bytes(), &terms) {
        Ok(_) => "none".into(),
        Err(errors) => {
            let error = errors
                .iter()
                .find(|d| d.code.as_str().starts_with('E'))
                .unwrap();
            let at = lines.position(text.as_bytes(), error.span.start);
            format!("{}:{} {} {}", at.line, at.column, error.code, error.message)
        }
    }
}

#[test]
fn the_content_decides_the_format() {
    let cases = [
        ("(set-logic HORN) (declare-fun p () Bool)", Format::Horn),
        ("; (rule x)\n(assert (= |:next| 1))", Format::Horn),
        ("(set-info :init 1) (assert true)", Format::Horn),
        ("(declare-var x Int)", Format::Z3Rules),
        ("(declare-fun rule () Bool) (query rule)", Format::Z3Rules),
        ("(define-fun a () Int (! x :next y))", Format::Vmt),
        (
            "(set-logic QF_LIA) (define-fun a () Bool (! x :invar-property 0))",
            Format::Vmt,
        ),
        ("", Format::Horn),
        (") ) (rule", Format::Z3Rules),
    ];
    for (text, format) in cases {
        assert_eq!(detect(text), format, "{text}");
    }
}
