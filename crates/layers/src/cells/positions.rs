//! Which positions may be tracked.
//!
//! Part of the layer in `layer.rs`.
//!
//! ```text
//! goal      what init and the property read
//! steps     what the transition relation reads or writes, over the current state
//! pool      t ± 1 for these, and  s - t,  s - t - 1,  s + t,  2t,  2t + 1,  t div 2  for frozen s, t
//! ```
//!
//! An index over next values is that over current values: a cell there is the one the next step needs.

use foretell_formulas::arrays::{is_array, normal};
use foretell_systems::TransitionSystem;
use foretell_terms::{Op, Sort, Substitution, Term, TermSet, TermStore};
use indexmap::IndexSet;

use super::project::Position;

/// At most so many positions are in a pool.
const LARGEST_POOL: usize = 48;
/// At most so many frozen indices are combined with each other.
const COMBINED: usize = 6;
/// Indices with more subterms than this are not tracked.
const LARGEST: usize = 24;

/// Mines positions from the formulas of a system.
pub(super) struct Miner<'a> {
    terms: &'a TermStore,
    current: TermSet,
    rigid: TermSet,
    unpriming: Substitution,
}

impl<'a> Miner<'a> {
    /// For a system over arrays.
    pub(super) fn new(system: &TransitionSystem, terms: &'a TermStore) -> Miner<'a> {
        Miner {
            terms,
            current: system
                .current()
                .into_iter()
                .chain(system.params.iter().copied())
                .collect(),
            rigid: system.params.iter().copied().collect(),
            unpriming: Substitution::from_pairs(system.vars.iter().map(|v| (v.next, v.cur))),
        }
    }

    /// The positions formulas read or write, over any symbols; those that are read first.
    pub(super) fn accesses(&self, roots: &[Term]) -> IndexSet<Position> {
        let position = |term: Term| match self.terms.op(term) {
            Op::Select if !is_array(self.terms, term) => self.read(term),
            Op::Store => self.written(term),
            _ => None,
        };
        let all = self.terms.subterms(roots);
        let (reads, writes): (Vec<Term>, Vec<Term>) = all
            .into_iter()
            .partition(|&t| *self.terms.op(t) == Op::Select);
        reads
            .into_iter()
            .chain(writes)
            .filter_map(position)
            .collect()
    }

    /// The positions formulas read or write, over the current state, those that never change first.
    pub(super) fn positions(&mut self, roots: &[Term]) -> Vec<Position> {
        let accesses = self.accesses(roots);
        let found: IndexSet<Position> = accesses
            .into_iter()
            .filter_map(|p| self.over_state(p))
            .collect();
        let (mut frozen, moving): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|p| self.is_rigid(p));
        frozen.extend(moving);
        frozen
    }

    /// The position of an element that is read, arrays of arrays opened.
    fn read(&self, select: Term) -> Option<Position> {
        let mut position = Vec::new();
        let mut term = select;
        while *self.terms.op(term) == Op::Select {
            let args = self.terms.args(term);
            position.splice(0..0, args[1..].iter().copied());
            term = args[0];
        }
        Some(position)
    }

    /// The position of an element that is written: the store of a store into a row goes on there.
    fn written(&self, store: Term) -> Option<Position> {
        let mut position = Vec::new();
        let mut term = store;
        while *self.terms.op(term) == Op::Store {
            let args = self.terms.args(term);
            position.extend_from_slice(&args[1..args.len() - 1]);
            term = args[args.len() - 1];
        }
        (!is_array(self.terms, term)).then_some(position)
    }

    /// The position over the current state, if it can be.
    fn over_state(&mut self, position: Position) -> Option<Position> {
        let terms = self.terms;
        let position: Position = position
            .into_iter()
            .map(|t| normal(terms, self.unpriming.apply(terms, t)))
            .collect();
        let current = terms
            .free_vars(&position)
            .iter()
            .all(|v| self.current.contains(v));
        (current && terms.subterms(&position).len() <= LARGEST).then_some(position)
    }

    /// Whether a position never changes.
    pub(super) fn is_rigid(&self, position: &[Term]) -> bool {
        self.terms
            .free_vars(position)
            .iter()
            .all(|v| self.rigid.contains(v))
    }

    /// Positions near or made of given ones, of the same shapes.
    pub(super) fn pool(&self, basis: &[Position]) -> Vec<Position> {
        let terms = self.terms;
        let mut pool: IndexSet<Position> = IndexSet::new();
        let params = self
            .rigid
            .iter()
            .copied()
            .filter(|&t| terms.sort(t) == Sort::INT);
        let symbolic = |t: &Term| !terms.free_vars(&[*t]).is_empty();
        let single = |p: &Position| p.len() == 1 && terms.sort(p[0]) == Sort::INT;
        let indices: Vec<Term> = basis
            .iter()
            .filter(|p| single(p))
            .map(|p| p[0])
            .filter(symbolic)
            .collect();
        let frozen: TermSet = indices
            .iter()
            .copied()
            .filter(|&t| self.is_rigid(&[t]))
            .chain(params)
            .collect();
        let frozen: Vec<Term> = frozen.into_iter().take(COMBINED).collect();
        let plus = |t: Term, d: i64| terms.add2(t, terms.int(d));
        let mut near: Vec<Term> = frozen.clone();
        near.extend(indices.iter().flat_map(|&t| [plus(t, 1), plus(t, -1)]));
        for &t in &frozen {
            for &s in frozen.iter().filter(|&&s| s != t) {
                let difference = terms.sub(s, t);
                near.extend([difference, plus(difference, -1), terms.add2(s, t)]);
            }
            let double = terms.add2(t, t);
            near.extend([double, plus(double, 1), terms.idiv(t, terms.int(2))]);
        }
        pool.extend(near.into_iter().map(|t| vec![normal(terms, t)]));
        pool.extend(
            basis
                .iter()
                .filter(|p| p.len() > 1)
                .flat_map(|p| self.mixed(p, basis)),
        );
        pool.into_iter()
            .filter(|p| !basis.contains(p))
            .take(LARGEST_POOL)
            .collect()
    }

    /// Positions of several indices with one index from another position of the same shape.
    fn mixed(&self, position: &Position, basis: &[Position]) -> Vec<Position> {
        let same_sorts = |p: &&Position| {
            p.len() == position.len()
                && p.iter()
                    .zip(position)
                    .all(|(&a, &b)| self.terms.sort(a) == self.terms.sort(b))
        };
        let mut found = Vec::new();
        for other in basis.iter().filter(same_sorts) {
            for place in 0..position.len() {
                let mut mixed = position.clone();
                mixed[place] = other[place];
                found.push(mixed);
            }
        }
        found
    }
}
