//! Atoms an invariant about a rigid cell is likely to need, spelled out as conjuncts that say nothing.
//!
//! Paper: Seghir, Podelski, Wies, "Abstraction Refinement for Quantified Array Assertions", SAS 2009:
//! the range of a quantified assertion comes from comparisons of the loop's index with the quantified
//! one. Part of the refinement in `array_prophecy.rs`.
//!
//! ```text
//! for a rigid index z and an index i of a state, in    i < n    a' = write(a, i, v(i))
//!   order    i ≤ z ∨ z ≤ i
//!   guard    z ≤ n ∨ n ≤ z                      the guards of T with z for i
//!   value    read(a, z) ≤ v(z) ∨ v(z) ≤ read(a, z)
//! ```
//!
//! All are valid. Engines that take predicates from the transition relation find the atoms there, and
//! need not find them one by one in interpolants of longer and longer paths.

use foretell_systems::TransitionSystem;
use foretell_terms::{Op, Sort, Term, TermSet, TermStore};

use super::abstract_arrays::{ArrayAbstraction, Role};
use super::axioms::{self, Axiom};
use super::consecutive::Catalogue;
use super::index_set::Timing;

/// At most so many of each kind are made.
const MOST: usize = 24;
/// Atoms with more subterms than this are left alone.
const LARGEST: usize = 20;

/// The seeds of a system with these instances.
pub(crate) fn seeds(
    system: &TransitionSystem,
    catalogue: &Catalogue,
    arrays: &ArrayAbstraction,
    terms: &TermStore,
) -> Vec<Axiom> {
    let integral = |t: &Term| terms.sort(*t) == Sort::INT;
    let moving: Vec<Term> = catalogue
        .indices()
        .filter(|&t| integral(&t) && catalogue.timing(terms, t) == Timing::State)
        .collect();
    let rigid: Vec<Term> = catalogue.rigid_indices().filter(integral).collect();
    let pairs: Vec<(Term, Term)> = moving
        .iter()
        .flat_map(|&i| rigid.iter().map(move |&z| (i, z)))
        .collect();
    let orders = pairs
        .iter()
        .map(|&(i, z)| axioms::order(terms, i, z))
        .take(MOST);
    let mut found: Vec<Axiom> = orders.collect();
    let counters: Vec<(Term, Term)> = pairs
        .iter()
        .copied()
        .filter(|(i, _)| terms.as_var(*i).is_some())
        .collect();
    let search = Search {
        catalogue,
        arrays,
        terms,
        counters,
    };
    found.extend(search.guards(system).take(MOST));
    found.extend(search.values().take(MOST));
    found.retain(|axiom| !terms.is_true(axiom.formula));
    found
}

struct Search<'a> {
    catalogue: &'a Catalogue,
    arrays: &'a ArrayAbstraction,
    terms: &'a TermStore,
    /// Variables that are indices, each with each rigid index.
    counters: Vec<(Term, Term)>,
}

impl Search<'_> {
    /// The guards with a rigid index in the place of a variable.
    fn guards(&self, system: &TransitionSystem) -> impl Iterator<Item = Axiom> + '_ {
        let terms = self.terms;
        let atoms: Vec<Term> = terms
            .atoms(&[system.trans])
            .into_iter()
            .filter(|&a| self.is_guard(a))
            .collect();
        let moved = atoms.into_iter().flat_map(move |atom| {
            self.counters.iter().filter_map(move |&(i, z)| {
                let moved = terms.substitute(atom, [(i, z)]);
                (moved != atom && matches!(terms.op(moved), Op::Le | Op::Eq)).then_some(moved)
            })
        });
        let moved: TermSet = moved.collect();
        moved
            .into_iter()
            .map(move |atom| axioms::order(terms, terms.args(atom)[0], terms.args(atom)[1]))
    }

    /// A comparison of numbers over the current state, without writes.
    fn is_guard(&self, atom: Term) -> bool {
        let terms = self.terms;
        matches!(terms.op(atom), Op::Le | Op::Eq)
            && terms.sort(terms.args(atom)[0]) == Sort::INT
            && self.is_plain(atom)
    }

    /// A small term over the current state, without writes.
    fn is_plain(&self, term: Term) -> bool {
        let below = self.terms.subterms(&[term]);
        let writes = |&t: &Term| matches!(self.arrays.role(self.terms, t), Some((_, Role::Write)));
        below.len() <= LARGEST
            && self.catalogue.timing(self.terms, term) != Timing::Step
            && !below.iter().any(writes)
    }

    /// The cell at a rigid index beside what is written, as if it were written there.
    fn values(&self) -> impl Iterator<Item = Axiom> + '_ {
        let terms = self.terms;
        self.catalogue.triggers().flat_map(move |write| {
            self.counters.iter().filter_map(move |&(i, z)| {
                let Some((symbols, Role::Write)) = self.arrays.role(terms, write) else {
                    return None;
                };
                let args = terms.args(write);
                let value = *args.last()?;
                if args[1..] != [i, value]
                    || terms.sort(value) != Sort::INT
                    || !self.is_plain(value)
                {
                    return None;
                }
                let cell = terms.app(symbols.read, &[self.base(args[0]), z]);
                let moved = terms.substitute(value, [(i, z)]);
                (self.is_plain(cell)).then(|| axioms::order(terms, cell, moved))
            })
        })
    }

    /// The array under writes.
    fn base(&self, array: Term) -> Term {
        let mut array = array;
        while let Some((_, Role::Write)) = self.arrays.role(self.terms, array) {
            array = self.terms.args(array)[0];
        }
        array
    }
}
