//! Counterexamples as text: S-expressions and JSON, written and read back.
//!
//! The formats are documented in `docs/formats/counterexample.md`. Both are spellings of one plain
//! [`raw::RawCex`]; a [`foretell_systems::Derivation`] or [`foretell_systems::Trace`] becomes one and
//! comes back from one ([`convert`]). Arrays are written sparsely: the cells that differ from the
//! rest, then the rest.

pub mod convert;
pub mod json;
pub mod raw;
pub mod recheck;
pub mod replay;
pub mod sexp;

use foretell_systems::{ChcSystem, Derivation, Property, Trace, TransitionSystem};
use foretell_terms::TermStore;

use crate::text::sexpr::Document;

/// How a counterexample is spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// S-expressions.
    Sexp,
    /// JSON.
    Json,
}

/// A derivation as text.
pub fn print_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
    spelling: Spelling,
) -> String {
    spell(
        &convert::from_derivation(terms, system, derivation),
        spelling,
    )
}

/// A run as text.
pub fn print_trace(
    terms: &TermStore,
    system: &TransitionSystem,
    trace: &Trace,
    property: Property,
    spelling: Spelling,
) -> String {
    spell(
        &convert::from_trace(terms, system, trace, property),
        spelling,
    )
}

fn spell(cex: &raw::RawCex, spelling: Spelling) -> String {
    match spelling {
        Spelling::Sexp => sexp::write(cex),
        Spelling::Json => json::write(cex),
    }
}

/// Whether a text is meant as a counterexample.
pub fn is_counterexample(text: &str) -> bool {
    let sexp = || {
        let doc = Document::read(text).ok()?;
        doc.roots()
            .first()
            .map(|&root| doc.head(root) == Some("counterexample"))
    };
    text.trim_start().starts_with('{') || sexp() == Some(true)
}

fn unspell(text: &str) -> Result<raw::RawCex, String> {
    if text.trim_start().starts_with('{') {
        json::read(text)
    } else {
        sexp::read(text)
    }
}

/// Reads a derivation for a clause system, in either spelling.
pub fn read_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    text: &str,
) -> Result<Derivation, String> {
    convert::to_derivation(terms, system, &unspell(text)?)
}

/// Reads a run of a transition system, in either spelling.
pub fn read_trace(
    terms: &TermStore,
    system: &TransitionSystem,
    text: &str,
    property: Property,
) -> Result<Trace, String> {
    convert::to_trace(terms, system, &unspell(text)?, property)
}
