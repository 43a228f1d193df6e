//! Counterexamples as text: S-expressions and JSON, written and read back.
//!
//! The formats are documented in `docs/formats/counterexample.md`. Both are spellings of one plain
//! [`Counterexample`]; a [`Derivation`] or [`Trace`] becomes one and comes back from one ([`convert`]).
//! JSON is what serde makes of it; S-expressions ([`sexp`]) are the certificates of `unsafe`.

pub mod convert;
pub mod recheck;
pub mod relevant;
pub mod replay;
pub mod settle;
pub mod sexp;

use foretell_systems::{ChcSystem, Counterexample, Derivation, Property, Trace, TransitionSystem};
use foretell_terms::TermStore;

use crate::text::sexpr::Document;

/// Whether a text is meant as a counterexample.
pub fn is_counterexample(text: &str) -> bool {
    let sexp = || {
        let doc = Document::read(text).ok()?;
        doc.roots()
            .first()
            .map(|&root| doc.head(root) == Some("counterexample"))
    };
    is_json(text) || sexp() == Some(true)
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Reads a counterexample, in either spelling.
pub fn read(text: &str) -> Result<Counterexample, String> {
    if is_json(text) {
        serde_json::from_str(text).map_err(|e| e.to_string())
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
    convert::to_derivation(terms, system, &read(text)?)
}

/// Reads a run of a transition system, in either spelling.
pub fn read_trace(
    terms: &TermStore,
    system: &TransitionSystem,
    text: &str,
    property: Property,
) -> Result<Trace, String> {
    convert::to_trace(terms, system, &read(text)?, property)
}
