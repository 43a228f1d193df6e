//! Arrays: instances of the axioms on demand, wherever all terms share a group.
//!
//! ```text
//! w = store(a, i, v)                  select(w, i) = v
//! w, and a select at j on the class of w or of a:    i = j  or  select(w, j) = select(a, j)
//! c = const(v), a select at j on its class:          select(c, j) = v
//! a != b, arrays                                     a = b  or  select(a, k) != select(b, k),  k fresh in one group
//! ```
//! `j` is replaced by a term of its class that shares a group with `w`, where there is one. Every
//! instance is a tautology counted in one group, so no literal is mixed. Where no such `j` exists
//! the instance would be mixed and is left out: the interpolant may then need a quantifier, and the
//! refuter gives up.
//!
//! Stump, Barrett, Dill, Levitt, LICS 2001, for the axioms on demand.

use super::Refuter;
use crate::data::atoms::{Atom, Lit};
use crate::data::bank::{Node, SymId, TId};
use crate::data::locality::NodeSet;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// What a symbol does to arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrayOp {
    /// `select a i..`.
    Select,
    /// `store a i.. v`, with the selection on the same sort.
    Store(SymId),
    /// The constant array, with the selection on the same sort.
    Const(SymId),
}

/// An instance of an axiom: which one, and the terms it is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Instance {
    /// Reading what was written.
    Written(TId),
    /// Reading elsewhere.
    Elsewhere(TId, Box<[TId]>),
    /// Reading a constant array.
    Constant(TId, Box<[TId]>),
    /// Two arrays differ somewhere.
    Differ(TId, TId),
}

/// The array terms of the current state.
struct Reads {
    /// The members of each class.
    classes: IndexMap<TId, Vec<TId>, FxBuildHasher>,
    /// `(array, indices)` of the selections.
    selects: Vec<(TId, Vec<TId>)>,
    /// The stores and constant arrays.
    writes: Vec<(TId, ArrayOp)>,
}

impl Refuter {
    /// Adds the instances that the current classes call for; whether any is new.
    pub(super) fn arrays(&mut self) -> bool {
        if self.world.arrays.is_empty() {
            return false;
        }
        let reads = self.reads();
        let mut any = false;
        for (w, op) in &reads.writes {
            any |= match op {
                ArrayOp::Store(select) => self.store_axioms(*w, *select, &reads),
                ArrayOp::Const(select) => self.constant_axioms(*w, *select, &reads),
                ArrayOp::Select => false,
            };
        }
        any | self.differences()
    }

    fn reads(&self) -> Reads {
        let mut reads = Reads {
            classes: IndexMap::default(),
            selects: Vec::new(),
            writes: Vec::new(),
        };
        for t in self.closure.terms() {
            reads
                .classes
                .entry(self.closure.rep(t))
                .or_default()
                .push(t);
            let Node::App(f, args) = self.world.bank.node(t) else {
                continue;
            };
            match self.world.arrays.get(f) {
                Some(ArrayOp::Select) => reads.selects.push((args[0], args[1..].to_vec())),
                Some(op) => reads.writes.push((t, *op)),
                None => {}
            }
        }
        reads
    }

    fn args(&self, t: TId) -> Vec<TId> {
        match self.world.bank.node(t) {
            Node::App(_, args) => args.to_vec(),
            _ => Vec::new(),
        }
    }

    fn select(&mut self, select: SymId, array: TId, indices: &[TId]) -> TId {
        let args: Vec<TId> = std::iter::once(array)
            .chain(indices.iter().copied())
            .collect();
        self.world.bank.app(select, &args)
    }

    /// Adds an instance that lives on `loc`, unless it is known.
    fn instance(&mut self, instance: Instance, loc: &NodeSet, lits: &[Lit]) -> bool {
        if loc.is_empty() || !self.known.instances.insert(instance) {
            return false;
        }
        self.counters.lemmas += 1;
        self.given(loc.top(), lits);
        true
    }

    fn store_axioms(&mut self, w: TId, select: SymId, reads: &Reads) -> bool {
        let args = self.args(w);
        let [array, middle @ .., value] = args.as_slice() else {
            return false;
        };
        let loc = self.world.bank.loc(w).clone();
        let mut any = false;
        if !self.known.instances.contains(&Instance::Written(w)) {
            let read = self.select(select, w, middle);
            let eq = self.world.eq(read, *value);
            any |= self.instance(Instance::Written(w), &loc, &[eq]);
        }
        let (this, source) = (self.closure.rep(w), self.closure.rep(*array));
        for (a, indices) in &reads.selects {
            let on = self.closure.rep(*a);
            if on != this && on != source {
                continue;
            }
            let Some((indices, loc)) = self.local_indices(indices, &loc, reads) else {
                continue;
            };
            if indices == middle {
                continue;
            }
            let known = Instance::Elsewhere(w, indices.clone().into());
            if self.known.instances.contains(&known) {
                continue;
            }
            let mut lits: Vec<Lit> = middle
                .iter()
                .zip(&indices)
                .map(|(i, j)| self.world.eq(*i, *j))
                .collect();
            let (new, old) = (
                self.select(select, w, &indices),
                self.select(select, *array, &indices),
            );
            lits.push(self.world.eq(new, old));
            any |= self.instance(known, &loc, &lits);
        }
        any
    }

    fn constant_axioms(&mut self, c: TId, select: SymId, reads: &Reads) -> bool {
        let Some(value) = self.args(c).first().copied() else {
            return false;
        };
        let loc = self.world.bank.loc(c).clone();
        let this = self.closure.rep(c);
        let mut any = false;
        for (a, indices) in &reads.selects {
            if self.closure.rep(*a) != this {
                continue;
            }
            let Some((indices, loc)) = self.local_indices(indices, &loc, reads) else {
                continue;
            };
            let known = Instance::Constant(c, indices.clone().into());
            if !self.known.instances.contains(&known) {
                let read = self.select(select, c, &indices);
                let eq = self.world.eq(read, value);
                any |= self.instance(known, &loc, &[eq]);
            }
        }
        any
    }

    /// Equal indices that share a group with `loc` and with each other, and where all of that
    /// lives.
    fn local_indices(
        &self,
        indices: &[TId],
        loc: &NodeSet,
        reads: &Reads,
    ) -> Option<(Vec<TId>, NodeSet)> {
        let mut loc = loc.clone();
        let mut out = Vec::new();
        for j in indices {
            let class = reads.classes.get(&self.closure.rep(*j))?;
            let fits = |t: &TId| self.world.bank.loc(*t).meets(&loc);
            let j = if fits(j) {
                *j
            } else {
                class.iter().copied().find(fits)?
            };
            loc = loc.meet(self.world.bank.loc(j));
            out.push(j);
        }
        Some((out, loc))
    }

    /// Extensionality for the disequalities between arrays.
    fn differences(&mut self) -> bool {
        let negated: Vec<Lit> = self
            .sat
            .trail()
            .iter()
            .copied()
            .filter(|l| !l.is_pos() && self.is_relevant(*l))
            .collect();
        let mut any = false;
        for l in negated {
            let Atom::Eq(a, b) = *self.world.atoms.get(l.atom()) else {
                continue;
            };
            let sort = self.world.bank.sort(a);
            let Some((select, indices)) = self.world.selections.get(&sort).cloned() else {
                continue;
            };
            let known = Instance::Differ(a, b);
            let loc = self.world.bank.loc(a).meet(self.world.bank.loc(b));
            if self.known.instances.contains(&known) || loc.is_empty() {
                continue;
            }
            let group = self.world.shape.single(loc.top());
            let mut witnesses = Vec::new();
            for sort in indices {
                let k = self.world.bank.declare(sort, group.clone());
                witnesses.push(self.world.bank.constant(k));
            }
            let (x, y) = (
                self.select(select, a, &witnesses),
                self.select(select, b, &witnesses),
            );
            let eq = self.world.eq(x, y);
            any |= self.instance(known, &group, &[!l, !eq]);
        }
        any
    }
}
