//! The smallest SMT-LIB logic that some formulas belong to.

use std::collections::BTreeSet;

use crate::number::Integer;
use crate::op::Op;
use crate::sort::SortKind;
use crate::store::{Term, TermStore};

/// What occurs in formulas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    Ints,
    Reals,
    Vectors,
    Functions,
    /// Arrays, quantifiers, products of variables, conversions: no logic of the table.
    Others,
}

impl TermStore {
    /// The logic, when it is one of a few that solvers treat better than the union of all theories.
    pub fn logic(&self, roots: &[Term]) -> Option<&'static str> {
        let mut found = BTreeSet::new();
        for term in self.subterms(roots) {
            self.note(term, &mut found);
        }
        match found.into_iter().collect::<Vec<Feature>>().as_slice() {
            [Feature::Ints] => Some("QF_LIA"),
            [Feature::Reals] => Some("QF_LRA"),
            [Feature::Vectors] => Some("QF_BV"),
            [Feature::Ints, Feature::Functions] => Some("QF_UFLIA"),
            [Feature::Reals, Feature::Functions] => Some("QF_UFLRA"),
            _ => None,
        }
    }

    fn note(&self, term: Term, found: &mut BTreeSet<Feature>) {
        let node = self.node(term);
        match self.kind(node.sort) {
            SortKind::Bool => None,
            SortKind::Int => Some(Feature::Ints),
            SortKind::Real => Some(Feature::Reals),
            SortKind::BitVec(_) => Some(Feature::Vectors),
            SortKind::Array { .. } | SortKind::Uninterpreted(_) | SortKind::Data(_) => {
                Some(Feature::Others)
            }
        }
        .map(|feature| found.insert(feature));
        if matches!(node.op, Op::App(_)) && !node.args.is_empty() {
            found.insert(Feature::Functions);
        }
        let beyond = match node.op {
            Op::Mul => node.args.len() > 2 || self.as_number(node.args[0]).is_none(),
            Op::IDiv | Op::Mod => self.as_int(node.args[1]).is_none_or(Integer::is_zero),
            Op::RDiv | Op::ToReal | Op::ToInt | Op::Forall | Op::Exists => true,
            _ => false,
        };
        if beyond {
            found.insert(Feature::Others);
        }
    }
}
