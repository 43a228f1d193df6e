//! Interpolation of a script whose assertions carry groups.
//!
//! `(assert (! F :interpolation-group g))` puts `F` into group `g`. If all groups together are
//! unsatisfiable, the answer is one interpolant after each group but the last.

use std::time::Duration;

use foretell_interpolate::{GroupedAssertion, InterpolateOptions, Itp, NamedAnswer, NamedGroups};
use foretell_kernel::{Budget, Cx, NullSink, Rng, Strength};
use foretell_smtlib::{Diagnostics, Elaborator, Reader, decode};
use foretell_solver::Z3Oracles;
use foretell_terms::{Sort, TermStore};

use crate::error::Error;
use crate::protocol::Refusal;
use crate::registry;

/// The attribute that names a group.
const GROUP: &str = ":interpolation-group";

/// The answer to a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolated {
    /// The group before each cut, and the interpolant as SMT-LIB.
    Interpolants(Vec<(String, String)>),
    /// The groups are satisfiable together.
    Satisfiable,
    /// Not decided; why.
    Unknown(String),
}

/// Interpolates the groups of a script.
///
/// # Errors
/// When the script cannot be read, or its assertions are no interpolation problem.
pub fn interpolate(
    bytes: &[u8],
    settings: &[String],
    limit: Option<Duration>,
) -> Result<Interpolated, Error> {
    let options = registry::settings(settings)?.of::<InterpolateOptions>()?;
    let terms = TermStore::new();
    let groups = read(bytes, &terms)?;
    let budget = limit.map_or_else(Budget::unlimited, Budget::with_time);
    let (oracles, rng) = (Z3Oracles::default(), Rng::new(0));
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    };
    let mut itp = Itp::new(Strength::default(), options);
    Ok(match groups.interpolate(&mut itp, &cx) {
        Ok(NamedAnswer::Interpolants(list)) => {
            Interpolated::Interpolants(list.into_iter().map(|(g, t)| (g, terms.print(t))).collect())
        }
        Ok(NamedAnswer::Satisfiable(_)) => Interpolated::Satisfiable,
        Ok(NamedAnswer::Unknown(why)) => Interpolated::Unknown(why.to_string()),
        Err(halt) => Interpolated::Unknown(halt.to_string()),
    })
}

fn read(bytes: &[u8], terms: &TermStore) -> Result<NamedGroups, Error> {
    let text = decode(bytes).map_err(|d| Error::Refused(Refusal::Input(vec![*d])))?;
    let mut diagnostics = Diagnostics::default();
    let mut elaborator = Elaborator::new(terms);
    let mut assertions = Vec::new();
    let mut reader = Reader::new(text);
    while let Some(command) = reader.next_command(&mut diagnostics) {
        let sexp = command.sexp();
        let declared = elaborator.declaration(sexp);
        if diagnostics.absorb(declared) != Some(None) {
            continue;
        }
        let mut items = sexp.items();
        let word = items
            .next()
            .and_then(foretell_smtlib::Sexp::symbol)
            .unwrap_or("");
        match (word, items.next()) {
            ("assert", Some(body)) => {
                let formula = elaborator.term_of_sort(body, Sort::BOOL);
                if let Some(formula) = diagnostics.absorb(formula) {
                    let notes = elaborator.take_annotations();
                    let group = notes
                        .iter()
                        .find(|a| a.key == GROUP)
                        .and_then(|a| a.value_name(text));
                    assertions.push(GroupedAssertion {
                        group: group.map(str::to_owned),
                        formula,
                    });
                }
            }
            ("check-sat", None) => {}
            _ => diagnostics.push(foretell_smtlib::unknown_command(sexp)),
        }
    }
    if diagnostics.failed() {
        return Err(Error::Refused(Refusal::Input(diagnostics.into_vec())));
    }
    NamedGroups::collect(terms, &assertions).map_err(|e| Error::Usage(e.to_string()))
}
