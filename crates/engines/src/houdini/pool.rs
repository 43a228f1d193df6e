//! Candidates, by predicate.

use foretell_systems::Pred;
use foretell_terms::{Term, TermStore};

use crate::program::Program;

/// A candidate: a disjunction of literals over a predicate's parameters and the first `arity` index
/// variables, universally quantified over these.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Candidate {
    pub(crate) literals: Vec<Term>,
    pub(crate) arity: usize,
}

impl Candidate {
    /// The disjunction.
    pub(crate) fn formula(&self, terms: &TermStore) -> Term {
        terms.or(self.literals.iter().copied())
    }
}

/// The candidates of each predicate, and which are still in the race.
#[derive(Clone)]
pub(crate) struct Pool {
    pub(super) candidates: Vec<indexmap::IndexSet<Candidate>>,
    active: Vec<Vec<bool>>,
}

impl Pool {
    pub(crate) fn new(program: &Program<'_>) -> Pool {
        let n = program.system.preds.len();
        Pool {
            candidates: vec![indexmap::IndexSet::new(); n],
            active: vec![Vec::new(); n],
        }
    }

    /// Adds a candidate unless it is trivially true.
    pub(crate) fn add(&mut self, pred: Pred, formula: &[Term], arity: usize, terms: &TermStore) {
        let clause = terms.or(formula.iter().copied());
        if terms.is_true(clause) || terms.is_false(clause) {
            return;
        }
        let mut literals = terms.disjuncts(clause);
        literals.sort_unstable();
        if self.candidates[pred.index()].insert(Candidate { literals, arity }) {
            self.active[pred.index()].push(true);
        }
    }

    pub(crate) fn count(&self, pred: Pred) -> usize {
        self.candidates[pred.index()].len()
    }

    pub(crate) fn len(&self) -> usize {
        self.candidates.iter().map(indexmap::IndexSet::len).sum()
    }

    pub(crate) fn n_active(&self) -> usize {
        self.active.iter().flatten().filter(|a| **a).count()
    }

    /// The candidates still in the race of a predicate, with their numbers.
    pub(crate) fn active(&self, pred: Pred) -> impl Iterator<Item = (usize, &Candidate)> {
        let flags = &self.active[pred.index()];
        self.candidates[pred.index()]
            .iter()
            .enumerate()
            .filter(|(i, _)| flags[*i])
    }

    pub(crate) fn get(&self, pred: Pred, number: usize) -> &Candidate {
        &self.candidates[pred.index()][number]
    }

    pub(super) fn drop_candidate(&mut self, pred: Pred, number: usize) {
        self.active[pred.index()][number] = false;
    }

    /// A pool of just those still in the race.
    pub(crate) fn kept(&self) -> Pool {
        let mut kept = Pool {
            candidates: Vec::new(),
            active: Vec::new(),
        };
        for (set, flags) in self.candidates.iter().zip(&self.active) {
            let left: indexmap::IndexSet<Candidate> = set
                .iter()
                .zip(flags)
                .filter(|(_, a)| **a)
                .map(|(c, _)| c.clone())
                .collect();
            kept.active.push(vec![true; left.len()]);
            kept.candidates.push(left);
        }
        kept
    }

    /// What those still in the race of a predicate say.
    pub(crate) fn formulas<'a>(
        &'a self,
        pred: Pred,
        terms: &'a TermStore,
    ) -> impl Iterator<Item = Term> + 'a {
        self.active(pred).map(|(_, c)| c.formula(terms))
    }
}
