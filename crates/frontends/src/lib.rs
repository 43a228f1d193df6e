//! Text to a problem, or to located errors.
//!
//! Three formats are read: SMT-LIB HORN (`chc`), the rules dialect of Z3 (`rules`) and VMT-LIB
//! (`vmt`). The content decides which one it is (`detect`), not the name of the file. Whatever
//! does not fit is refused with its place and its name; nothing is dropped silently.

mod chc;
mod clauses;
mod detect;
mod free;
mod info;
mod other;
mod print;
mod properties;
mod rules;
mod vmt;

use foretell_smtlib::{Diagnostic, Diagnostics, decode};
use foretell_systems::{ChcSystem, TransitionSystem};
use foretell_terms::{Term, TermStore};

pub use detect::{Format, detect, end_of_script};
pub use free::FreeSymbols;
pub use info::{Counts, Feature, Info};
pub use print::{print_chc, print_vmt};
pub use properties::{Goal, Question, QuestionKind};

/// A problem in the form the input gave it.
#[derive(Clone, Debug)]
pub enum Problem {
    /// Horn clauses.
    Chc(ChcSystem),
    /// A transition system with numbered properties.
    Vmt {
        /// The system; its property is the conjunction of all properties.
        system: TransitionSystem,
        /// The number and the formula of each property, in the order of the numbers.
        properties: Vec<(u64, Term)>,
    },
}

/// An input that was read without error.
#[derive(Clone, Debug)]
pub struct Input {
    /// The format that was found.
    pub format: Format,
    /// The problem.
    pub problem: Problem,
    /// The logic the input names, if it names one.
    pub logic: Option<String>,
    /// What is asked, question by question.
    pub questions: Vec<Question>,
    /// The goals of clauses, in the order of their questions.
    pub goals: Vec<Goal>,
    /// Whether the script asks for a model.
    pub asks_model: bool,
    /// What the clauses leave open; nothing for transition systems, where it is part of the state.
    pub free_symbols: FreeSymbols,
    /// What deserves attention although the input was read.
    pub warnings: Vec<Diagnostic>,
    /// Counts and features.
    pub info: Info,
}

/// What the reader of a format found.
pub(crate) struct Found {
    problem: Problem,
    logic: Option<String>,
    questions: Vec<Question>,
    goals: Vec<Goal>,
    asks_model: bool,
    /// As far as the reader knows: constants.
    free_symbols: FreeSymbols,
    /// Whether clauses may mention declared functions or sorts.
    declares_more: bool,
}

/// Reads an input, in the format that its content suggests.
///
/// Contract: the problem satisfies `validate` of its kind. On failure the list holds at least one
/// error; it is the only one when the text looks like another language.
pub fn read(bytes: &[u8], terms: &TermStore) -> Result<Input, Vec<Diagnostic>> {
    let read = decode(bytes)
        .map_err(|diagnostic| vec![*diagnostic])
        .and_then(|text| read_as(detect(text), text, terms));
    read.map_err(|reasons| match other::language(bytes) {
        Some(language) => vec![language.refusal()],
        None => reasons,
    })
}

/// Reads an input in a given format.
pub fn read_as(format: Format, text: &str, terms: &TermStore) -> Result<Input, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::default();
    let read = match format {
        Format::Horn => chc::read(text, terms, &mut diagnostics),
        Format::Z3Rules => rules::read(text, terms, &mut diagnostics),
        Format::Vmt => vmt::read(text, terms, &mut diagnostics),
    };
    let failed = diagnostics.failed();
    match read {
        Some(found) if !failed => {
            let open = match &found.problem {
                Problem::Chc(system) if found.declares_more => FreeSymbols::of(system, terms),
                Problem::Chc(_) | Problem::Vmt { .. } => FreeSymbols::None,
            };
            Ok(Input {
                format,
                info: Info::of(&found.problem, terms),
                problem: found.problem,
                logic: found.logic,
                questions: found.questions,
                goals: found.goals,
                asks_model: found.asks_model,
                free_symbols: found.free_symbols.max(open),
                warnings: diagnostics.into_vec(),
            })
        }
        _ => Err(diagnostics.into_vec()),
    }
}

#[cfg(test)]
mod tests;
