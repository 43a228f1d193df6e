//! The Boolean search: clauses, watched literals, trail, and the proof of everything derived.
//!
//! Eén, Sörensson, "An extensible SAT-solver", SAT 2003, with a resolution chain per learnt clause.
//!
//! ```text
//! propagate()              unit propagation over two watched literals
//! analyze(c) -> learnt     first unique implication point, minimised; the chain of the resolutions done
//! backjump(level)          undo the trail
//! add(lits, proof)         attach a clause under any assignment: it may be unit or false
//! ```
//!
//! Invariants: the first two literals of a clause are watched; a literal true at level 0 has a
//! `unit` step that proves it as a clause; the implied literal of a reason is at position 0.

pub(crate) mod analyze;

pub(crate) mod heap;

use crate::data::atoms::{AtomId, Lit};
use crate::proof::{Proof, StepId};
use heap::Order;

/// A clause of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClauseId(u32);

/// Whether a clause may be forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Kept for good.
    Kept,
    /// May be dropped when the store grows.
    Learnt,
    /// Dropped.
    Gone,
}

#[derive(Debug)]
struct Clause {
    lits: Vec<Lit>,
    proof: StepId,
    kind: Kind,
    /// The conflict count at the last use.
    used: u64,
}

#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseId,
    blocker: Lit,
}

/// The state of one atom.
#[derive(Clone, Debug)]
struct Var {
    /// 1 true, -1 false, 0 unassigned.
    value: i8,
    level: u32,
    reason: Option<ClauseId>,
    unit: Option<StepId>,
    phase: bool,
    active: bool,
    seen: bool,
}

/// What adding a clause or propagating led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Added {
    /// Nothing to do.
    Fine,
    /// The clause is false now.
    Conflict(ClauseId),
}

/// The Boolean search state.
#[derive(Debug)]
pub(crate) struct Sat {
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    vars: Vec<Var>,
    trail: Vec<Lit>,
    limits: Vec<usize>,
    head: usize,
    order: Order,
    conflicts: u64,
    learnts: usize,
    /// The shortest the trail has been since it was last asked for.
    low: usize,
}

impl Sat {
    /// An empty search.
    pub(crate) fn new() -> Sat {
        Sat {
            clauses: Vec::new(),
            watches: Vec::new(),
            vars: Vec::new(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            order: Order::new(),
            conflicts: 0,
            learnts: 0,
            low: usize::MAX,
        }
    }

    /// The shortest the trail has been since the last call.
    pub(crate) fn take_low(&mut self) -> usize {
        std::mem::replace(&mut self.low, usize::MAX)
    }

    /// Makes an atom a decision variable.
    pub(crate) fn activate(&mut self, a: AtomId) {
        let n = a.index() + 1;
        if self.vars.len() < n {
            let blank = Var {
                value: 0,
                level: 0,
                reason: None,
                unit: None,
                phase: false,
                active: false,
                seen: false,
            };
            self.vars.resize(n, blank);
            self.watches.resize(2 * n, Vec::new());
            self.order.grow(n);
        }
        if !self.vars[a.index()].active {
            self.vars[a.index()].active = true;
            self.order.insert(a);
        }
    }

    /// Whether the atom is a decision variable.
    pub(crate) fn is_active(&self, a: AtomId) -> bool {
        self.vars.get(a.index()).is_some_and(|v| v.active)
    }

    /// The truth value of a literal: 1, -1 or 0.
    pub(crate) fn value(&self, l: Lit) -> i8 {
        match self.vars.get(l.atom().index()) {
            Some(v) if l.is_pos() => v.value,
            Some(v) => -v.value,
            None => 0,
        }
    }

    /// The trail of true literals.
    pub(crate) fn trail(&self) -> &[Lit] {
        &self.trail
    }

    /// The current decision level.
    pub(crate) fn level(&self) -> usize {
        self.limits.len()
    }

    /// The number of conflicts analysed.
    pub(crate) fn conflicts(&self) -> u64 {
        self.conflicts
    }

    fn level_of(&self, l: Lit) -> u32 {
        self.vars[l.atom().index()].level
    }

    /// Assigns a literal.
    fn enqueue(&mut self, l: Lit, reason: Option<ClauseId>, proof: &mut Proof) {
        let level = self.level() as u32;
        let unit = match reason {
            Some(c) if level == 0 => Some(self.unit_proof(c, l, proof)),
            _ => None,
        };
        let v = &mut self.vars[l.atom().index()];
        debug_assert!(v.value == 0);
        v.value = if l.is_pos() { 1 } else { -1 };
        v.level = level;
        v.reason = reason;
        v.unit = unit;
        self.trail.push(l);
    }

    /// The proof of `l` alone from a clause whose other literals are false at level 0.
    fn unit_proof(&self, c: ClauseId, l: Lit, proof: &mut Proof) -> StepId {
        let clause = &self.clauses[c.0 as usize];
        let steps = clause
            .lits
            .iter()
            .filter(|q| **q != l)
            .filter_map(|q| self.unit_step(*q))
            .collect();
        proof.chain(clause.proof, steps)
    }

    /// The resolution that removes a literal false at level 0.
    fn unit_step(&self, q: Lit) -> Option<(Lit, StepId)> {
        self.vars[q.atom().index()].unit.map(|u| (!q, u))
    }

    /// Opens a decision level with `l` true.
    pub(crate) fn decide(&mut self, l: Lit, proof: &mut Proof) {
        self.limits.push(self.trail.len());
        self.enqueue(l, None, proof);
    }

    /// The next unassigned atom by activity, in its saved phase.
    pub(crate) fn pick(&mut self) -> Option<Lit> {
        while let Some(a) = self.order.pop() {
            let v = &self.vars[a.index()];
            if v.active && v.value == 0 {
                return Some(if v.phase { a.pos() } else { !a.pos() });
            }
        }
        None
    }

    /// Undoes all levels above `level`.
    pub(crate) fn backjump(&mut self, level: usize) {
        if self.level() <= level {
            return;
        }
        let keep = self.limits[level];
        for l in self.trail.drain(keep..) {
            let v = &mut self.vars[l.atom().index()];
            v.phase = l.is_pos();
            v.value = 0;
            v.reason = None;
            self.order.insert(l.atom());
        }
        self.limits.truncate(level);
        self.head = self.head.min(keep);
        self.low = self.low.min(keep);
    }

    /// Attaches a clause; under the current assignment it may propagate (after a backjump) or be
    /// false.
    pub(crate) fn add(
        &mut self,
        mut lits: Vec<Lit>,
        step: StepId,
        kind: Kind,
        proof: &mut Proof,
    ) -> Added {
        debug_assert!(lits.iter().all(|l| self.is_active(l.atom())));
        lits.sort_by_key(|l| {
            let rank = if self.value(*l) >= 0 {
                u32::MAX
            } else {
                self.level_of(*l)
            };
            (std::cmp::Reverse(rank), *l)
        });
        lits.dedup();
        let id = ClauseId(self.clauses.len() as u32);
        let first = lits.first().copied();
        let second = lits.get(1).copied();
        if kind == Kind::Learnt {
            self.learnts += 1;
        }
        if let (Some(a), Some(b)) = (first, second) {
            self.watches[(!a).index()].push(Watch {
                clause: id,
                blocker: b,
            });
            self.watches[(!b).index()].push(Watch {
                clause: id,
                blocker: a,
            });
        }
        self.clauses.push(Clause {
            lits,
            proof: step,
            kind,
            used: self.conflicts,
        });
        let Some(a) = first else {
            return Added::Conflict(id);
        };
        if self.value(a) < 0 {
            self.backjump(self.level_of(a) as usize);
            return Added::Conflict(id);
        }
        let implied_at = match second {
            None => 0,
            Some(b) if self.value(b) < 0 => self.level_of(b) as usize,
            Some(_) => return Added::Fine,
        };
        if self.value(a) == 0 || self.level_of(a) as usize > implied_at {
            self.backjump(implied_at);
            self.enqueue(a, Some(id), proof);
        }
        Added::Fine
    }

    /// Unit propagation; returns a false clause if there is one.
    pub(crate) fn propagate(&mut self, proof: &mut Proof) -> Option<ClauseId> {
        while self.head < self.trail.len() {
            let p = self.trail[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[p.index()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut i = 0;
            while i < watches.len() {
                let w = watches[i];
                i += 1;
                if self.value(w.blocker) > 0 {
                    watches[kept] = w;
                    kept += 1;
                    continue;
                }
                if let Some(w) = self.visit(w, p) {
                    watches[kept] = w;
                    kept += 1;
                    let first = w.blocker;
                    if self.value(first) < 0 {
                        conflict = Some(w.clause);
                        break;
                    } else if self.value(first) == 0 {
                        self.enqueue(first, Some(w.clause), proof);
                    }
                }
            }
            while i < watches.len() {
                watches[kept] = watches[i];
                kept += 1;
                i += 1;
            }
            watches.truncate(kept);
            self.watches[p.index()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Looks at a clause whose watched literal `not p` became false. `None`: the watch moved or the
    /// clause is gone; otherwise the watch stays, with the other watched literal as blocker.
    fn visit(&mut self, w: Watch, p: Lit) -> Option<Watch> {
        if self.clauses[w.clause.0 as usize].kind == Kind::Gone {
            return None;
        }
        let lits = &mut self.clauses[w.clause.0 as usize].lits;
        if lits[0] == !p {
            lits.swap(0, 1);
        }
        let first = lits[0];
        let moved = Watch {
            clause: w.clause,
            blocker: first,
        };
        if first != w.blocker && value_in(&self.vars, first) > 0 {
            return Some(moved);
        }
        for k in 2..lits.len() {
            if value_in(&self.vars, lits[k]) >= 0 {
                lits.swap(1, k);
                let watched = lits[1];
                self.watches[(!watched).index()].push(moved);
                return None;
            }
        }
        Some(moved)
    }

    /// Drops the older half of the long learnt clauses when there are more than `limit`.
    pub(crate) fn reduce(&mut self, limit: usize) {
        if self.learnts <= limit {
            return;
        }
        let mut old: Vec<(u64, u32)> = Vec::new();
        for (i, c) in self.clauses.iter().enumerate() {
            let locked = c.lits.first().is_some_and(|l| {
                self.value(*l) > 0 && self.vars[l.atom().index()].reason == Some(ClauseId(i as u32))
            });
            if c.kind == Kind::Learnt && c.lits.len() > 2 && !locked {
                old.push((c.used, i as u32));
            }
        }
        old.sort_unstable();
        for (_, i) in &old[..old.len() / 2] {
            self.clauses[*i as usize].kind = Kind::Gone;
            self.clauses[*i as usize].lits = Vec::new();
            self.learnts -= 1;
        }
    }
}

fn value_in(vars: &[Var], l: Lit) -> i8 {
    let v = vars[l.atom().index()].value;
    if l.is_pos() { v } else { -v }
}
