//! The predicates ℙ: what cubes, clauses and frames may talk about.
//!
//! Invariants: ℙ only grows; every predicate is an atom in the spelling of
//! [`TermStore::canonical_atom`], mentions symbols of its vocabulary only, and occurs once.

use foretell_terms::{Sort, Term, TermSet, TermStore};

use super::cube::Cube;

/// An atom with more subterms than this is no initial predicate.
const LARGEST_ATOM: usize = 60;

/// The predicates.
#[derive(Default)]
pub(crate) struct Predicates {
    atoms: TermSet,
    /// What they speak of: current values and parameters.
    vocabulary: TermSet,
    /// The atoms `l = i` of a location variable; one of them is true, and it says all that the others say.
    pub(crate) locations: TermSet,
    /// The Boolean state variables of a system without location variable, if they are few.
    pub(crate) control_bits: TermSet,
}

impl Predicates {
    /// Sets what they may speak of; its Boolean symbols are predicates.
    pub(crate) fn speak_of(&mut self, symbols: TermSet, terms: &TermStore) {
        self.vocabulary = symbols;
        for &var in &self.vocabulary.clone() {
            if terms.sort(var) == Sort::BOOL {
                self.add(terms, var);
            }
        }
    }

    /// The atoms of formulas that speak of the vocabulary alone.
    pub(crate) fn speakable(&self, formulas: &[Term], terms: &TermStore) -> Vec<Term> {
        let speaks = |&a: &Term| {
            terms
                .free_vars(&[a])
                .iter()
                .all(|v| self.vocabulary.contains(v))
        };
        terms.atoms(formulas).into_iter().filter(speaks).collect()
    }

    /// Adds at most so many of these atoms, none of them large.
    pub(crate) fn add_small(&mut self, terms: &TermStore, atoms: &[Term], most: u32) {
        let mut left = most;
        for &atom in atoms {
            if left > 0 && terms.subterms(&[atom]).len() <= LARGEST_ATOM && self.add(terms, atom) {
                left -= 1;
            }
        }
    }

    /// The atom as it would be in ℙ; `None` for constants and for what ℙ cannot talk about.
    pub(crate) fn spell(&self, terms: &TermStore, atom: Term) -> Option<Term> {
        let (atom, _) = terms.strip_not(terms.canonical_atom(terms.strip_not(atom).0));
        let fits = terms.is_atom(atom)
            && terms
                .free_vars(&[atom])
                .iter()
                .all(|v| self.vocabulary.contains(v));
        (fits && !terms.free_vars(&[atom]).is_empty()).then_some(atom)
    }

    /// Adds an atom; whether it was new.
    pub(crate) fn add(&mut self, terms: &TermStore, atom: Term) -> bool {
        self.spell(terms, atom)
            .is_some_and(|atom| self.atoms.insert(atom))
    }

    /// Whether an atom (in canonical spelling) is in ℙ.
    pub(crate) fn contains(&self, atom: Term) -> bool {
        self.atoms.contains(&atom)
    }

    /// Whether an atom says that control is at some location.
    pub(crate) fn is_location(&self, atom: Term) -> bool {
        self.locations.contains(&atom)
    }

    /// The literals of a cube that say where control is.
    pub(crate) fn location(&self, cube: &Cube, terms: &TermStore) -> Cube {
        let says = |l: &Term| {
            let (atom, _) = terms.strip_not(*l);
            self.locations.contains(&atom) || self.control_bits.contains(&atom)
        };
        Cube::new(cube.lits().iter().copied().filter(says).collect())
    }

    /// The predicates in order of introduction.
    pub(crate) fn atoms(&self) -> &TermSet {
        &self.atoms
    }
}
