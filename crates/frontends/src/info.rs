//! What a problem consists of.

use std::collections::BTreeSet;

use foretell_systems::{ChcSystem, TransitionSystem};
use foretell_terms::{BvOp, Op, Sort, SortKind, Term, TermStore};

use crate::Problem;

/// A feature a problem uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feature {
    /// Integers.
    Integers,
    /// Real numbers.
    Reals,
    /// Bit-vectors.
    BitVectors,
    /// Arrays.
    Arrays,
    /// Arrays of arrays, or arrays with several indices.
    NestedArrays,
    /// Quantifiers inside constraints, initial states, transitions or properties.
    Quantifiers,
    /// Products of variables, or division by something that is not a number.
    NonlinearArithmetic,
    /// Integer division or remainder.
    DivMod,
    /// Uninterpreted functions of the background theory.
    Functions,
    /// Uninterpreted sorts.
    Sorts,
    /// Algebraic datatypes.
    Datatypes,
}

impl Feature {
    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Integers => "integers",
            Feature::Reals => "reals",
            Feature::BitVectors => "bit-vectors",
            Feature::Arrays => "arrays",
            Feature::NestedArrays => "nested arrays",
            Feature::Quantifiers => "quantifiers",
            Feature::NonlinearArithmetic => "non-linear arithmetic",
            Feature::DivMod => "div/mod",
            Feature::Functions => "uninterpreted functions",
            Feature::Sorts => "uninterpreted sorts",
            Feature::Datatypes => "datatypes",
        }
    }
}

/// Counts by kind of problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Horn clauses.
    Chc {
        /// The predicates.
        predicates: usize,
        /// All clauses.
        clauses: usize,
        /// Clauses with head `false`.
        queries: usize,
        /// Clauses without body atom.
        facts: usize,
        /// The largest number of body atoms of a clause; the system is linear when it is at most 1.
        widest_body: usize,
    },
    /// A transition system.
    Vmt {
        /// The state variables.
        variables: usize,
        /// The inputs.
        inputs: usize,
        /// The properties.
        properties: usize,
    },
}

/// Counts and features of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The counts.
    pub counts: Counts,
    /// The features that occur.
    pub features: BTreeSet<Feature>,
    /// The sorts that occur, in the order of their creation, as text.
    pub sorts: Vec<String>,
    /// The number of different subterms.
    pub n_terms: usize,
}

impl Info {
    /// Counts and features of a problem.
    pub fn of(problem: &Problem, terms: &TermStore) -> Info {
        let (counts, roots) = match problem {
            Problem::Chc(system) => (chc_counts(system), chc_roots(system)),
            Problem::Vmt { system, properties } => {
                (vmt_counts(system, properties.len()), vmt_roots(system))
            }
        };
        let all = terms.subterms(&roots);
        let mut features = BTreeSet::new();
        let mut sorts: BTreeSet<Sort> = BTreeSet::new();
        for &term in &all {
            sorts.insert(terms.sort(term));
            features.extend(operator_feature(terms, term));
        }
        for &sort in &sorts {
            sort_features(terms, sort, &mut features);
        }
        let sorts = sorts
            .into_iter()
            .map(|sort| terms.print_sort(sort))
            .collect();
        Info {
            counts,
            features,
            sorts,
            n_terms: all.len(),
        }
    }

    /// Whether every clause has at most one body atom; transition systems are linear.
    pub fn is_linear(&self) -> bool {
        match self.counts {
            Counts::Chc { widest_body, .. } => widest_body <= 1,
            Counts::Vmt { .. } => true,
        }
    }

    /// Whether a feature occurs.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }
}

fn chc_counts(system: &ChcSystem) -> Counts {
    let count = |test: fn(&foretell_systems::Clause) -> bool| {
        system.clauses.iter().filter(|c| test(c)).count()
    };
    Counts::Chc {
        predicates: system.preds.len(),
        clauses: system.clauses.len(),
        queries: count(foretell_systems::Clause::is_query),
        facts: count(foretell_systems::Clause::is_fact),
        widest_body: system
            .clauses
            .iter()
            .map(|c| c.body.len())
            .max()
            .unwrap_or(0),
    }
}

fn vmt_counts(system: &TransitionSystem, properties: usize) -> Counts {
    Counts::Vmt {
        variables: system.vars.len(),
        inputs: system.inputs.len(),
        properties,
    }
}

fn chc_roots(system: &ChcSystem) -> Vec<Term> {
    let params = system.preds.iter().flat_map(|p| p.params.iter().copied());
    params.chain(clause_roots(system)).collect()
}

/// The terms that clauses consist of.
pub(crate) fn clause_roots(system: &ChcSystem) -> Vec<Term> {
    let clauses = system.clauses.iter().flat_map(|clause| {
        let atoms = clause.body.iter().chain(&clause.head);
        atoms
            .flat_map(|a| a.args.iter().copied())
            .chain([clause.constraint])
    });
    clauses.collect()
}

fn vmt_roots(system: &TransitionSystem) -> Vec<Term> {
    let mut roots = system.current();
    roots.extend([system.init, system.trans, system.property]);
    roots
}

fn operator_feature(terms: &TermStore, term: Term) -> Option<Feature> {
    let args = terms.args(term);
    match terms.op(term) {
        Op::Forall | Op::Exists => Some(Feature::Quantifiers),
        Op::Mul
            if args
                .iter()
                .filter(|a| terms.as_number(**a).is_none())
                .count()
                > 1 =>
        {
            Some(Feature::NonlinearArithmetic)
        }
        Op::RDiv => Some(Feature::NonlinearArithmetic),
        Op::IDiv | Op::Mod if terms.as_int(args[1]).is_none() => Some(Feature::NonlinearArithmetic),
        Op::IDiv | Op::Mod => Some(Feature::DivMod),
        Op::Bv(BvOp::ToNat | BvOp::FromInt(_)) => Some(Feature::Integers),
        Op::App(_) if !args.is_empty() => Some(Feature::Functions),
        _ => None,
    }
}

fn sort_features(terms: &TermStore, sort: Sort, features: &mut BTreeSet<Feature>) {
    let feature = match terms.kind(sort) {
        SortKind::Bool => None,
        SortKind::Int => Some(Feature::Integers),
        SortKind::Real => Some(Feature::Reals),
        SortKind::BitVec(_) => Some(Feature::BitVectors),
        SortKind::Uninterpreted(_) => Some(Feature::Sorts),
        SortKind::Data(_) => Some(Feature::Datatypes),
        SortKind::Array { indices, element } => {
            features.insert(Feature::Arrays);
            (indices.len() > 1 || terms.array_parts(*element).is_some())
                .then_some(Feature::NestedArrays)
        }
    };
    features.extend(feature);
}
