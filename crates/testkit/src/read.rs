//! Problems as text, through the product's front end.

use foretell_frontends::{Problem, read};
use foretell_systems::{ChcSystem, TransitionSystem};
use foretell_terms::TermStore;

/// Clauses, in either dialect.
///
/// # Panics
/// When the text is something else.
#[track_caller]
pub fn clauses(terms: &TermStore, text: &str) -> ChcSystem {
    match problem(terms, text) {
        Problem::Chc(system) => system,
        Problem::Vmt { .. } => panic!("a transition system:\n{text}"),
    }
}

/// A transition system with all its properties.
///
/// # Panics
/// When the text is something else.
#[track_caller]
pub fn system(terms: &TermStore, text: &str) -> TransitionSystem {
    match problem(terms, text) {
        Problem::Vmt { system, .. } => system,
        Problem::Chc(_) => panic!("clauses:\n{text}"),
    }
}

/// Whatever a text is.
///
/// # Panics
/// When it is refused.
#[track_caller]
pub fn problem(terms: &TermStore, text: &str) -> Problem {
    match read(text.as_bytes(), terms) {
        Ok(input) => input.problem,
        Err(list) => panic!("{}\n{text}", list[0].message),
    }
}
