//! What an input consists of, without solving it.

use foretell_frontends::{Counts, Format, read};
use foretell_smtlib::Diagnostic;
use foretell_terms::TermStore;
use serde::Serialize;

use crate::error::Error;
use crate::protocol::Refusal;

/// Counts and features of an input.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    /// The format.
    pub format: Format,
    /// The logic it names.
    pub logic: Option<String>,
    /// Named counts, in the order to show them.
    pub counts: Vec<(&'static str, usize)>,
    /// Whether every clause has at most one body atom.
    pub linear: bool,
    /// The features that occur.
    pub features: Vec<&'static str>,
    /// The sorts that occur.
    pub sorts: Vec<String>,
    /// What deserves attention.
    pub warnings: Vec<Diagnostic>,
}

/// Reads an input and describes it.
///
/// # Errors
/// The located reasons for which it was refused.
pub fn survey(bytes: &[u8]) -> Result<Survey, Error> {
    let terms = TermStore::new();
    let input = read(bytes, &terms).map_err(|list| Error::Refused(Refusal::Input(list)))?;
    let mut counts = match input.info.counts {
        Counts::Chc {
            predicates,
            clauses,
            queries,
            facts,
            widest_body,
        } => vec![
            ("predicates", predicates),
            ("clauses", clauses),
            ("facts", facts),
            ("queries", queries),
            ("widest body", widest_body),
        ],
        Counts::Vmt {
            variables,
            inputs,
            properties,
        } => {
            vec![
                ("state variables", variables),
                ("inputs", inputs),
                ("properties", properties),
            ]
        }
    };
    counts.push(("terms", input.info.n_terms));
    Ok(Survey {
        format: input.format,
        logic: input.logic,
        counts,
        linear: input.info.is_linear(),
        features: input.info.features.iter().map(|f| f.name()).collect(),
        sorts: input.info.sorts.clone(),
        warnings: input.warnings,
    })
}
