//! The predicates ℙ: what cubes, clauses and frames may talk about.
//!
//! ```text
//! ℙ ⊇ atoms(I) ∪ atoms(P) ∪ atoms(hints) ∪ { l = i | location i } ∪ Boolean state variables
//! ```
//!
//! Invariants: ℙ only grows; every predicate is an atom in the spelling of
//! [`TermStore::canonical_atom`], mentions current values and parameters only, and occurs once.

use foretell_systems::TransitionSystem;
use foretell_terms::{Sort, Term, TermSet, TermStore};

use super::cube::Cube;
use super::options::Ic3iaOptions;

/// An atom with more subterms than this is no initial predicate.
const LARGEST_ATOM: usize = 60;

/// Without a location variable the Boolean state variables make up the location, if they are no more.
const MOST_CONTROL_BITS: usize = 10;

/// The predicates.
#[derive(Default)]
pub(super) struct Predicates {
    atoms: TermSet,
    /// Current values and parameters.
    vocabulary: TermSet,
    /// The atoms `l = i`; one of them is true, and it says all that the others say.
    locations: TermSet,
    /// The Boolean state variables of a system without location variable, if they are few.
    control_bits: TermSet,
}

impl Predicates {
    /// Takes the predicates of a system into ℙ (again, after the system was changed).
    pub(super) fn grow(
        &mut self,
        system: &TransitionSystem,
        options: &Ic3iaOptions,
        terms: &TermStore,
    ) {
        self.vocabulary = system
            .current()
            .into_iter()
            .chain(system.params.iter().copied())
            .collect();
        for &var in &self.vocabulary.clone() {
            if terms.sort(var) == Sort::BOOL {
                self.add(terms, var);
            }
        }
        let bits: TermSet = system
            .current()
            .into_iter()
            .filter(|&v| terms.sort(v) == Sort::BOOL)
            .collect();
        if system.guide.control.is_none() && bits.len() <= MOST_CONTROL_BITS {
            self.control_bits = bits;
        }
        if let Some(control) = &system.guide.control {
            for location in 0..control.names.len() {
                let value = terms.int(i64::try_from(location).expect("invariant: few locations"));
                let atom = terms.eq(control.var, value);
                self.add(terms, atom);
                self.locations.extend(self.spell(terms, atom));
            }
        }
        for atom in terms.atoms(&[system.init, system.property]) {
            self.add(terms, atom);
        }
        if options.hints {
            for atom in terms.atoms(&system.guide.hints) {
                self.add(terms, atom);
            }
        }
        if options.guards {
            let mut left = options.max_guards;
            for atom in self.guards(system, terms) {
                if left > 0
                    && terms.subterms(&[atom]).len() <= LARGEST_ATOM
                    && self.add(terms, atom)
                {
                    left -= 1;
                }
            }
        }
    }

    /// The atoms of T over the current state.
    pub(super) fn guards(&self, system: &TransitionSystem, terms: &TermStore) -> Vec<Term> {
        let speaks = |&a: &Term| {
            terms
                .free_vars(&[a])
                .iter()
                .all(|v| self.vocabulary.contains(v))
        };
        terms
            .atoms(&[system.trans])
            .into_iter()
            .filter(speaks)
            .collect()
    }

    /// The atom as it would be in ℙ; `None` for constants and for what ℙ cannot talk about.
    pub(super) fn spell(&self, terms: &TermStore, atom: Term) -> Option<Term> {
        let (atom, _) = terms.strip_not(terms.canonical_atom(terms.strip_not(atom).0));
        let fits = terms.is_atom(atom)
            && terms
                .free_vars(&[atom])
                .iter()
                .all(|v| self.vocabulary.contains(v));
        (fits && !terms.free_vars(&[atom]).is_empty()).then_some(atom)
    }

    /// Adds an atom; whether it was new.
    pub(super) fn add(&mut self, terms: &TermStore, atom: Term) -> bool {
        self.spell(terms, atom)
            .is_some_and(|atom| self.atoms.insert(atom))
    }

    /// Whether an atom (in canonical spelling) is in ℙ.
    pub(super) fn contains(&self, atom: Term) -> bool {
        self.atoms.contains(&atom)
    }

    /// Whether an atom says that control is at some location.
    pub(super) fn is_location(&self, atom: Term) -> bool {
        self.locations.contains(&atom)
    }

    /// The literals of a cube that say where control is.
    pub(super) fn location(&self, cube: &Cube, terms: &TermStore) -> Cube {
        let says = |l: &Term| {
            let (atom, _) = terms.strip_not(*l);
            self.locations.contains(&atom) || self.control_bits.contains(&atom)
        };
        Cube::new(cube.lits().iter().copied().filter(says).collect())
    }

    /// The predicates in order of introduction.
    pub(super) fn atoms(&self) -> &TermSet {
        &self.atoms
    }
}
