//! Symbols whose meaning an input leaves open.

use std::collections::BTreeSet;

use foretell_systems::ChcSystem;
use foretell_terms::{Sort, SortKind, TermStore};

/// What clauses leave open besides their predicates.
///
/// A derivation of `false` fixes the meaning of such symbols, of constants even in each clause on
/// its own; another meaning may make the clauses safe. A proof holds for every meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum FreeSymbols {
    /// Nothing.
    #[default]
    None,
    /// Declared constants, read as variables of each clause.
    Constants,
    /// Declared functions, or sorts of which nobody knows how many elements they have.
    FunctionsOrSorts,
}

impl FreeSymbols {
    /// Whether clauses mention declared functions or sorts. Constants cannot be told from variables
    /// here; the reader knows them.
    pub(crate) fn of(system: &ChcSystem, terms: &TermStore) -> FreeSymbols {
        let roots = crate::info::clause_roots(system);
        let sorts = terms.subterms(&roots).into_iter().map(|t| terms.sort(t));
        if !terms.functions(&roots).is_empty() || are_open(terms, sorts) {
            FreeSymbols::FunctionsOrSorts
        } else {
            FreeSymbols::None
        }
    }
}

/// Whether a declared sort is part of one of these, be it of a field of a datatype.
fn are_open(terms: &TermStore, sorts: impl IntoIterator<Item = Sort>) -> bool {
    let mut work: Vec<Sort> = sorts.into_iter().collect();
    let mut seen: BTreeSet<Sort> = BTreeSet::new();
    while let Some(sort) = work.pop() {
        if !seen.insert(sort) {
            continue;
        }
        match terms.kind(sort) {
            SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::BitVec(_) => {}
            SortKind::Uninterpreted(_) => return true,
            SortKind::Array { indices, element } => {
                work.extend(indices.iter().chain([element]).copied());
            }
            SortKind::Data(_) => {
                let constructors = terms.data(sort).into_iter().flat_map(|d| d.constructors());
                work.extend(constructors.flat_map(|c| &c.fields).map(|f| f.sort));
            }
        }
    }
    false
}
