//! Conflict analysis: the first unique implication point, clause minimisation, and the chain that
//! proves it.
//!
//! ```text
//! analyze(c)
//!   mark the literals of c; walk the trail backwards
//!     resolve each marked literal of the current level with its reason, until one is left
//!   a marked literal is redundant if its reason's literals are marked, redundant, or false at level 0
//!   resolve the redundant literals, latest first, then the literals of level 0
//! ```
//! The steps are recorded in the order in which they are valid resolutions.

use super::{ClauseId, Sat};
use crate::data::atoms::Lit;
use crate::proof::{Proof, StepId};

/// A learnt clause, its proof and the level to jump to.
#[derive(Debug)]
pub(crate) struct Learnt {
    /// The literals; all false before the jump, the asserting one first.
    pub(crate) lits: Vec<Lit>,
    /// The chain that proves the clause.
    pub(crate) step: StepId,
    /// The level to jump to.
    pub(crate) level: usize,
}

/// What became of a literal during minimisation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Redundant,
    Needed,
}

impl Sat {
    /// The refutation, from a clause that is false at level 0.
    pub(crate) fn refutation(&mut self, conflict: ClauseId, proof: &mut Proof) -> StepId {
        let clause = &self.clauses[conflict.0 as usize];
        let steps = clause
            .lits
            .iter()
            .filter_map(|q| self.unit_step(*q))
            .collect();
        proof.chain(clause.proof, steps)
    }

    /// Analyses a clause that is false, with at least one literal of the current level, which is
    /// above 0.
    pub(crate) fn analyze(&mut self, conflict: ClauseId, proof: &mut Proof) -> Learnt {
        self.conflicts += 1;
        self.order.decay();
        let mut steps: Vec<(Lit, StepId)> = Vec::new();
        let mut rest: Vec<Lit> = Vec::new();
        let mut zeros: Vec<Lit> = Vec::new();
        let uip = self.resolve_to_uip(conflict, &mut steps, &mut rest, &mut zeros);
        let redundant = self.minimise(&rest);
        let mut lits = vec![!uip];
        let mut dropped: Vec<Lit> = Vec::new();
        for q in &rest {
            if redundant.contains(&q.atom().0) {
                dropped.push(*q)
            } else {
                lits.push(*q)
            }
        }
        self.resolve_redundant(&dropped, &redundant, &mut steps, &mut zeros);
        zeros.sort_unstable();
        zeros.dedup();
        steps.extend(zeros.iter().filter_map(|q| self.unit_step(*q)));
        for q in &rest {
            self.vars[q.atom().index()].seen = false;
        }
        let level = lits[1..]
            .iter()
            .map(|l| self.level_of(*l))
            .max()
            .unwrap_or(0) as usize;
        let step = proof.chain(self.clauses[conflict.0 as usize].proof, steps);
        Learnt { lits, step, level }
    }

    /// Resolves until one literal of the current level is left; marks the others (`rest`) as seen.
    fn resolve_to_uip(
        &mut self,
        conflict: ClauseId,
        steps: &mut Vec<(Lit, StepId)>,
        rest: &mut Vec<Lit>,
        zeros: &mut Vec<Lit>,
    ) -> Lit {
        let current = self.level() as u32;
        let mut open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut pivot: Option<Lit> = None;
        loop {
            self.clauses[clause.0 as usize].used = self.conflicts;
            if let Some(p) = pivot {
                steps.push((p, self.clauses[clause.0 as usize].proof));
            }
            for i in 0..self.clauses[clause.0 as usize].lits.len() {
                let q = self.clauses[clause.0 as usize].lits[i];
                if Some(q) == pivot || self.vars[q.atom().index()].seen {
                    continue;
                }
                let level = self.level_of(q);
                if level == 0 {
                    zeros.push(q);
                    continue;
                }
                self.order.bump(q.atom());
                self.vars[q.atom().index()].seen = true;
                if level == current {
                    open += 1
                } else {
                    rest.push(q)
                }
            }
            let p = loop {
                at -= 1;
                let p = self.trail[at];
                if self.vars[p.atom().index()].seen && self.level_of(p) == current {
                    break p;
                }
            };
            self.vars[p.atom().index()].seen = false;
            open -= 1;
            match self.vars[p.atom().index()].reason {
                Some(r) if open > 0 => {
                    pivot = Some(p);
                    clause = r;
                }
                _ => return p,
            }
        }
    }

    /// The atoms of lower levels whose literals follow from the other literals of the clause.
    /// Contains marked atoms and, below them, unmarked ones.
    fn minimise(&self, rest: &[Lit]) -> indexmap::IndexSet<u32, rustc_hash::FxBuildHasher> {
        let mut known: indexmap::IndexMap<u32, Mark, rustc_hash::FxBuildHasher> =
            Default::default();
        for q in rest {
            self.classify(*q, &mut known);
        }
        known
            .into_iter()
            .filter(|(_, m)| *m == Mark::Redundant)
            .map(|(a, _)| a)
            .collect()
    }

    fn classify(
        &self,
        root: Lit,
        known: &mut indexmap::IndexMap<u32, Mark, rustc_hash::FxBuildHasher>,
    ) {
        // (literal, next position in its reason)
        let mut stack: Vec<(Lit, usize)> = vec![(root, 0)];
        while let Some(&(q, i)) = stack.last() {
            let a = q.atom();
            if i == 0 && known.contains_key(&a.0) {
                stack.pop();
                continue;
            }
            let Some(r) = self.vars[a.index()].reason else {
                known.insert(a.0, Mark::Needed);
                stack.pop();
                continue;
            };
            let lits = &self.clauses[r.0 as usize].lits;
            let mut next = i;
            let mut verdict = Some(Mark::Redundant);
            while next < lits.len() {
                let p = lits[next];
                if p.atom() == a || self.level_of(p) == 0 {
                    next += 1;
                    continue;
                }
                match known.get(&p.atom().0) {
                    Some(Mark::Redundant) => next += 1,
                    Some(Mark::Needed) if self.vars[p.atom().index()].seen => next += 1,
                    Some(Mark::Needed) => {
                        verdict = Some(Mark::Needed);
                        break;
                    }
                    None => {
                        verdict = None;
                        break;
                    }
                }
            }
            match verdict {
                Some(m) => {
                    known.insert(a.0, m);
                    stack.pop();
                }
                None => {
                    let depth = stack.len();
                    stack[depth - 1].1 = next.max(1);
                    stack.push((lits[next], 0));
                }
            }
        }
    }

    /// Records the resolutions of the redundant literals, latest first.
    fn resolve_redundant(
        &mut self,
        dropped: &[Lit],
        redundant: &indexmap::IndexSet<u32, rustc_hash::FxBuildHasher>,
        steps: &mut Vec<(Lit, StepId)>,
        zeros: &mut Vec<Lit>,
    ) {
        if dropped.is_empty() {
            return;
        }
        let mut pending: indexmap::IndexSet<u32, rustc_hash::FxBuildHasher> =
            dropped.iter().map(|q| q.atom().0).collect();
        for at in (0..self.trail.len()).rev() {
            let p = self.trail[at];
            if !pending.contains(&p.atom().0) {
                continue;
            }
            let Some(r) = self.vars[p.atom().index()].reason else {
                continue;
            };
            steps.push((p, self.clauses[r.0 as usize].proof));
            for q in &self.clauses[r.0 as usize].lits {
                if q.atom() == p.atom() {
                    continue;
                }
                if self.level_of(*q) == 0 {
                    zeros.push(*q);
                } else if redundant.contains(&q.atom().0) {
                    pending.insert(q.atom().0);
                }
            }
        }
    }
}
