//! Cubes: conjunctions of literals over the predicates ℙ, and their negations, the clauses.

use foretell_terms::{Term, TermStore};

/// A conjunction of literals; a literal is an atom of ℙ or its negation.
///
/// Invariant: literals ascend, none occurs twice. `signature` has the bit of every literal, so that
/// most failing subset tests cost one instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cube {
    lits: Vec<Term>,
    signature: u64,
}

impl Cube {
    /// The cube of these literals.
    pub(crate) fn new(mut lits: Vec<Term>) -> Cube {
        lits.sort_unstable();
        lits.dedup();
        let signature = lits
            .iter()
            .fold(0, |bits, lit| bits | 1 << (lit.index() % 64));
        Cube { lits, signature }
    }

    /// The literals, ascending.
    pub(crate) fn lits(&self) -> &[Term] {
        &self.lits
    }

    /// The number of literals.
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }

    /// Whether a literal is in the cube.
    pub(crate) fn contains(&self, lit: Term) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }

    /// `self ⊆ other` as sets of literals, hence `other ⇒ self`.
    pub(crate) fn subsumes(&self, other: &Cube) -> bool {
        if self.signature & !other.signature != 0 || self.lits.len() > other.lits.len() {
            return false;
        }
        let mut rest = other.lits.iter();
        self.lits.iter().all(|lit| rest.by_ref().any(|o| o == lit))
    }

    /// The cube without one literal.
    pub(crate) fn without(&self, lit: Term) -> Cube {
        Cube::new(self.lits.iter().copied().filter(|&l| l != lit).collect())
    }

    /// The literals of either cube.
    pub(crate) fn union(&self, other: &Cube) -> Cube {
        Cube::new(self.lits.iter().chain(&other.lits).copied().collect())
    }

    /// The literals of both cubes: the smallest cube that both imply.
    pub(crate) fn join(&self, other: &Cube) -> Cube {
        Cube::new(
            self.lits
                .iter()
                .copied()
                .filter(|&l| other.contains(l))
                .collect(),
        )
    }

    /// The conjunction.
    pub(crate) fn term(&self, terms: &TermStore) -> Term {
        terms.and(self.lits.iter().copied())
    }

    /// The negation: a clause.
    pub(crate) fn clause(&self, terms: &TermStore) -> Term {
        terms.or(self.lits.iter().map(|&l| terms.not(l)))
    }
}
