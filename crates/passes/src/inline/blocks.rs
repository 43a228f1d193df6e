//! The clauses while predicates are resolved away: by predicate, and with their size.

use foretell_systems::ChcSystem;
use foretell_terms::{TermMap, TermStore};

use super::resolve::{Merged, Origins};

/// The clauses in order, with places that became empty.
pub(super) struct Blocks {
    pub(super) slots: Vec<Option<Merged>>,
    /// Places of the clauses that derive a predicate, ascending; some may be empty by now.
    pub(super) defines: Vec<Vec<usize>>,
    /// Places of the clauses with a predicate in their body, ascending; some may be empty by now.
    pub(super) uses: Vec<Vec<usize>>,
    pub(super) origins: Origins,
    pub(super) size: Size,
}

impl Blocks {
    pub(super) fn new(system: &ChcSystem, terms: &TermStore) -> Blocks {
        let n = system.preds.len();
        let mut blocks = Blocks {
            slots: Vec::new(),
            defines: vec![Vec::new(); n],
            uses: vec![Vec::new(); n],
            origins: Origins::default(),
            size: Size::default(),
        };
        for id in system.clause_ids() {
            let merged = blocks.origins.single(system, id);
            blocks.push(merged, terms);
        }
        blocks
    }

    /// The places that are not empty, each once.
    pub(super) fn alive(&self, places: &[usize]) -> Vec<usize> {
        let alive = places.iter().copied().filter(|&p| self.slots[p].is_some());
        let mut alive: Vec<usize> = alive.collect();
        alive.dedup();
        alive
    }

    /// A new clause behind the others.
    pub(super) fn push(&mut self, merged: Merged, terms: &TermStore) {
        let place = self.slots.len();
        if let Some(head) = &merged.clause.head {
            self.defines[head.pred.index()].push(place);
        }
        for atom in &merged.clause.body {
            self.uses[atom.pred.index()].push(place);
        }
        self.size.add(&merged, terms);
        self.slots.push(Some(merged));
    }

    /// Empties a place.
    pub(super) fn take(&mut self, place: usize, terms: &TermStore) -> Option<Merged> {
        let merged = self.slots[place].take()?;
        self.size.remove(&merged, terms);
        Some(merged)
    }

    /// Puts a clause back where it was taken from.
    pub(super) fn put_back(&mut self, place: usize, merged: Merged, terms: &TermStore) {
        self.size.add(&merged, terms);
        self.slots[place] = Some(merged);
    }
}

/// The number of different terms in the clauses.
#[derive(Default)]
pub(super) struct Size {
    /// In how many clauses a term occurs.
    clauses: TermMap<u32>,
    total: usize,
}

impl Size {
    pub(super) fn total(&self) -> usize {
        self.total
    }

    fn add(&mut self, merged: &Merged, terms: &TermStore) {
        for term in terms.subterms(&merged.roots()) {
            let n = self.clauses.entry(term).or_default();
            self.total += usize::from(*n == 0);
            *n += 1;
        }
    }

    fn remove(&mut self, merged: &Merged, terms: &TermStore) {
        for term in terms.subterms(&merged.roots()) {
            if let Some(n) = self.clauses.get_mut(&term) {
                *n -= 1;
                self.total -= usize::from(*n == 0);
            }
        }
    }
}
