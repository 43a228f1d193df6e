//! The corpus: what it calls an error is refused where it says, the rest is read and printed again.

use foretell_smtlib::{Class, Severity};
use foretell_terms::TermStore;
use foretell_testkit::corpus::{errors, problems};

use crate::{Problem, print_chc, print_vmt, read};

#[test]
fn error_files_are_refused_with_a_place() {
    for case in errors() {
        let bytes = &case.bytes;
        let terms = TermStore::new();
        let diagnostics = read(bytes, &terms).map(|_| ()).expect_err(&case.name);
        let errors: Vec<_> = diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .collect();
        assert!(
            errors
                .iter()
                .all(|d| d.span.end as usize <= bytes.len() + 1),
            "{}",
            case.name
        );
        let malformed = errors.iter().any(|d| d.class() == Class::Malformed);
        let exit = if malformed { "3" } else { "4" };
        assert_eq!(
            case.directive("exit").unwrap_or(exit),
            exit,
            "{}",
            case.name
        );
        if let Some(words) = case.directive("expect-error") {
            let said = diagnostics
                .iter()
                .any(|d| d.message.to_lowercase().contains(&words.to_lowercase()));
            assert!(said, "{}: {words} in {diagnostics:?}", case.name);
        }
    }
}

#[test]
fn good_files_are_read_and_survive_printing() {
    for case in problems() {
        let terms = TermStore::new();
        let input = read(&case.bytes, &terms);
        let input = input.unwrap_or_else(|errors| panic!("{}: {errors:?}", case.name));
        let text = print(&input.problem, &terms);
        let other = TermStore::new();
        let again = read(text.as_bytes(), &other);
        let again = again.unwrap_or_else(|errors| panic!("{}: {errors:?} in\n{text}", case.name));
        assert_eq!(again.info.counts, input.info.counts, "{}", case.name);
        assert_eq!(again.info.features, input.info.features, "{}", case.name);
    }
}

fn print(problem: &Problem, terms: &TermStore) -> String {
    match problem {
        Problem::Chc(system) => {
            assert_eq!(system.validate(terms), Ok(()));
            print_chc(terms, system)
        }
        Problem::Vmt { system, properties } => {
            assert_eq!(system.validate(terms), Ok(()));
            print_vmt(terms, system, properties)
        }
    }
}
