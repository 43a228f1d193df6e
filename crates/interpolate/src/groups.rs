//! Named groups, as an SMT-LIB script gives them: assertions that carry a group each.
//!
//! `(assert (! F :interpolation-group g))` puts `F` into group `g`; groups follow each other in the
//! order of their first assertion, and the answer is one interpolant between each group and the
//! next.

use foretell_kernel::Reason;
use foretell_kernel::{Cx, Halt, Interpolation, Interpolator};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt;

/// An assertion with the group it names.
#[derive(Clone, Debug)]
pub struct GroupedAssertion {
    /// The group; `None` if the assertion carries no annotation.
    pub group: Option<String>,
    /// The formula.
    pub formula: Term,
}

/// Why assertions are no interpolation problem.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GroupError {
    /// The assertion of this number carries no group.
    Ungrouped(usize),
    /// Fewer than two groups: there is no cut.
    TooFew(usize),
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupError::Ungrouped(i) => {
                write!(f, "assertion {} carries no interpolation group", i + 1)
            }
            GroupError::TooFew(n) => write!(f, "interpolation needs two groups or more, found {n}"),
        }
    }
}

impl std::error::Error for GroupError {}

/// The groups of a script, in order.
#[derive(Clone, Debug)]
pub struct NamedGroups {
    /// The names.
    pub names: Vec<String>,
    /// The conjunction of each group.
    pub parts: Vec<Term>,
}

/// The answer for named groups.
#[derive(Clone, Debug)]
pub enum NamedAnswer {
    /// One interpolant per cut: the name of the last group before it, and the formula.
    Interpolants(Vec<(String, Term)>),
    /// The groups are satisfiable together.
    Satisfiable(Assignment),
    /// Not decided.
    Unknown(Reason),
}

impl NamedGroups {
    /// Collects assertions into groups.
    pub fn collect(
        store: &TermStore,
        assertions: &[GroupedAssertion],
    ) -> Result<NamedGroups, GroupError> {
        let mut groups: IndexMap<&str, Vec<Term>, FxBuildHasher> = IndexMap::default();
        for (i, a) in assertions.iter().enumerate() {
            let name = a.group.as_deref().ok_or(GroupError::Ungrouped(i))?;
            groups.entry(name).or_default().push(a.formula);
        }
        if groups.len() < 2 {
            return Err(GroupError::TooFew(groups.len()));
        }
        let names = groups.keys().map(ToString::to_string).collect();
        let parts = groups.into_values().map(|g| store.and(g)).collect();
        Ok(NamedGroups { names, parts })
    }

    /// The sequence interpolants of the groups.
    pub fn interpolate(
        &self,
        itp: &mut dyn Interpolator,
        cx: &Cx<'_>,
    ) -> Result<NamedAnswer, Halt> {
        Ok(match itp.sequence(&self.parts, cx)? {
            Interpolation::Interpolants(itps) => {
                NamedAnswer::Interpolants(self.names.iter().cloned().zip(itps).collect())
            }
            Interpolation::Satisfiable(model) => NamedAnswer::Satisfiable(model),
            Interpolation::Unknown(why) => NamedAnswer::Unknown(why),
        })
    }
}
