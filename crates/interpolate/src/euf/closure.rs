//! Congruence closure with a proof forest and undo.
//!
//! Nieuwenhuis, Oliveras, "Fast congruence closure and extensions", Inf. Comp. 2007; undo by a
//! trail of merges.
//!
//! ```text
//! assert(s = t)     merge the classes; every application over the smaller class gets a new signature;
//!                   an application with that signature is merged in turn (edge: congruence)
//! assert(s != t)    watched at both classes
//! explain(s, t)     the literals on the forest path, congruence edges expanded
//! ```
//! Conflicts: two distinct values in one class, or a disequality inside a class. A negated Boolean
//! literal `not p` is the equality `p = false`.
//!
//! Invariants: classes are circular lists through `next`; `signatures` holds, for the current
//! representatives, one application per signature (older keys are harmless: they mention a
//! non-representative); forest edges carry increasing times, and a congruence edge is explained by
//! edges of smaller time.

use crate::data::atoms::{Atom, AtomTable, Lit};
use crate::data::bank::{Node, SymId, TId, TermBank};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// Why two neighbours of the proof forest are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// A true literal says so.
    Lit(Lit),
    /// They are congruent applications.
    Congruence,
}

/// An edge of the proof forest, from a node to its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The parent.
    pub(crate) to: u32,
    /// The reason.
    pub(crate) why: Why,
    /// The number of the merge.
    pub(crate) time: u32,
}

/// A contradiction found by congruence closure.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// The literals that contradict each other.
    pub(crate) lits: Vec<Lit>,
    /// The terms that became equal: distinct values, or the sides of the disequality in `lits`.
    pub(crate) ends: (TId, TId),
}

type Signature = (SymId, SmallVec<[u32; 4]>);

#[derive(Debug)]
enum Undo {
    /// Class `child` was merged into class `into`; with the former sizes of the latter's lists.
    Merge {
        child: u32,
        into: u32,
        uses: usize,
        diseqs: usize,
        value: Option<TId>,
        edge: (u32, u32),
    },
    Signature(Signature),
    Diseq(u32, u32),
}

/// The state of one node.
#[derive(Debug)]
struct Item {
    term: TId,
    rep: u32,
    next: u32,
    size: u32,
    uses: Vec<u32>,
    /// `(other side, literal)`.
    diseqs: Vec<(u32, u32, Lit)>,
    value: Option<TId>,
    edge: Option<Edge>,
    /// The function and the argument nodes, for an application.
    app: Option<Signature>,
}

/// Congruence closure over registered terms.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    index: IndexSet<TId, FxBuildHasher>,
    items: Vec<Item>,
    signatures: IndexMap<Signature, u32, FxBuildHasher>,
    trail: Vec<Undo>,
    pending: Vec<(u32, u32, Why)>,
    time: u32,
}

impl Closure {
    /// Registers a term and its subterms.  Must be called with nothing asserted.
    pub(crate) fn register(&mut self, bank: &TermBank, t: TId) {
        debug_assert!(self.trail.is_empty());
        let mut stack = vec![t];
        while let Some(&t) = stack.last() {
            if self.index.contains(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            for_children(bank, t, |c| {
                if !self.index.contains(&c) {
                    stack.push(c);
                }
            });
            if stack.len() == before {
                stack.pop();
                self.insert(bank, t);
            }
        }
    }

    fn insert(&mut self, bank: &TermBank, t: TId) {
        let i = self.items.len() as u32;
        self.index.insert(t);
        let value = bank.is_value(t).then_some(t);
        self.items.push(Item {
            term: t,
            rep: i,
            next: i,
            size: 1,
            uses: Vec::new(),
            diseqs: Vec::new(),
            value,
            edge: None,
            app: None,
        });
        if let Node::App(f, args) = bank.node(t) {
            let sig: Signature = (*f, args.iter().map(|a| self.at(*a)).collect());
            for a in &sig.1 {
                self.items[*a as usize].uses.push(i);
            }
            self.items[i as usize].app = Some(sig.clone());
            self.signatures.insert(sig, i);
        }
    }

    /// Whether the term is registered.
    pub(crate) fn knows(&self, t: TId) -> bool {
        self.index.contains(&t)
    }

    fn at(&self, t: TId) -> u32 {
        self.index
            .get_index_of(&t)
            .expect("invariant: terms are registered with their subterms") as u32
    }

    /// The representative of a registered term's class.
    pub(crate) fn rep(&self, t: TId) -> TId {
        let r = self.items[self.at(t) as usize].rep;
        self.items[r as usize].term
    }

    /// All registered terms.
    pub(crate) fn terms(&self) -> impl Iterator<Item = TId> + '_ {
        self.index.iter().copied()
    }

    /// A point to undo to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Asserts an equality literal; others are ignored.
    pub(crate) fn assert(&mut self, atoms: &AtomTable, lit: Lit) -> Result<(), Conflict> {
        let Atom::Eq(a, b) = atoms.get(lit.atom()) else {
            return Ok(());
        };
        let (a, b) = (*a, *b);
        if lit.is_pos() {
            let edge = (self.at(a), self.at(b), Why::Lit(lit));
            self.pending.push(edge);
        } else if a == TermBank::TRUE {
            let edge = (self.at(b), self.at(TermBank::FALSE), Why::Lit(lit));
            self.pending.push(edge);
        } else {
            return self.disequal(self.at(a), self.at(b), lit);
        }
        self.close()
    }

    fn disequal(&mut self, a: u32, b: u32, lit: Lit) -> Result<(), Conflict> {
        let (ra, rb) = (self.items[a as usize].rep, self.items[b as usize].rep);
        if ra == rb {
            return Err(self.contradiction(a, b, Some(lit)));
        }
        self.items[ra as usize].diseqs.push((a, b, lit));
        self.items[rb as usize].diseqs.push((a, b, lit));
        self.trail.push(Undo::Diseq(ra, rb));
        Ok(())
    }

    fn contradiction(&self, a: u32, b: u32, lit: Option<Lit>) -> Conflict {
        let mut lits = self.explain_nodes(a, b);
        lits.extend(lit);
        Conflict {
            lits,
            ends: (self.items[a as usize].term, self.items[b as usize].term),
        }
    }

    fn close(&mut self) -> Result<(), Conflict> {
        while let Some((a, b, why)) = self.pending.pop() {
            if let Err(conflict) = self.merge(a, b, why) {
                self.pending.clear();
                return Err(conflict);
            }
        }
        Ok(())
    }

    fn merge(&mut self, a: u32, b: u32, why: Why) -> Result<(), Conflict> {
        let (ra, rb) = (self.items[a as usize].rep, self.items[b as usize].rep);
        if ra == rb {
            return Ok(());
        }
        let (a, b, child, into) = if self.items[ra as usize].size <= self.items[rb as usize].size {
            (a, b, ra, rb)
        } else {
            (b, a, rb, ra)
        };
        self.reroot(a);
        self.time += 1;
        self.items[a as usize].edge = Some(Edge {
            to: b,
            why,
            time: self.time,
        });
        let dest = &self.items[into as usize];
        self.trail.push(Undo::Merge {
            child,
            into,
            uses: dest.uses.len(),
            diseqs: dest.diseqs.len(),
            value: dest.value,
            edge: (a, b),
        });
        self.splice(child, into);
        let mut clash = None;
        match (
            self.items[child as usize].value,
            self.items[into as usize].value,
        ) {
            (Some(v), Some(w)) => clash = Some((self.at(v), self.at(w), None)),
            (Some(v), None) => self.items[into as usize].value = Some(v),
            _ => {}
        }
        for (x, y, lit) in self.items[child as usize].diseqs.clone() {
            if self.items[x as usize].rep == self.items[y as usize].rep {
                clash = clash.or(Some((x, y, Some(lit))));
            }
            self.items[into as usize].diseqs.push((x, y, lit));
        }
        if let Some((x, y, lit)) = clash {
            return Err(self.contradiction(x, y, lit));
        }
        self.recompute_signatures(child, into);
        Ok(())
    }

    /// Moves the members of class `child` into class `into`.
    fn splice(&mut self, child: u32, into: u32) {
        let mut m = child;
        loop {
            self.items[m as usize].rep = into;
            m = self.items[m as usize].next;
            if m == child {
                break;
            }
        }
        self.swap_next(child, into);
        self.items[into as usize].size += self.items[child as usize].size;
    }

    fn swap_next(&mut self, a: u32, b: u32) {
        let (x, y) = (self.items[a as usize].next, self.items[b as usize].next);
        self.items[a as usize].next = y;
        self.items[b as usize].next = x;
    }

    fn recompute_signatures(&mut self, child: u32, into: u32) {
        for i in 0..self.items[child as usize].uses.len() {
            let app = self.items[child as usize].uses[i];
            self.items[into as usize].uses.push(app);
            let Some((f, args)) = &self.items[app as usize].app else {
                continue;
            };
            let sig: Signature = (
                *f,
                args.iter().map(|a| self.items[*a as usize].rep).collect(),
            );
            match self.signatures.get(&sig) {
                Some(&other) => {
                    if self.items[other as usize].rep != self.items[app as usize].rep {
                        self.pending.push((app, other, Why::Congruence));
                    }
                }
                None => {
                    self.signatures.insert(sig.clone(), app);
                    self.trail.push(Undo::Signature(sig));
                }
            }
        }
    }

    /// Reverses the forest edges above `a`, so that `a` becomes a root.
    fn reroot(&mut self, a: u32) {
        let mut node = a;
        let mut carried = self.items[a as usize].edge.take();
        while let Some(e) = carried {
            let above = self.items[e.to as usize].edge;
            self.items[e.to as usize].edge = Some(Edge { to: node, ..e });
            node = e.to;
            carried = above;
        }
    }

    /// Undoes everything after a mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Merge {
                    child,
                    into,
                    uses,
                    diseqs,
                    value,
                    edge,
                }) => {
                    self.items[into as usize].size -= self.items[child as usize].size;
                    self.swap_next(child, into);
                    let mut m = child;
                    loop {
                        self.items[m as usize].rep = child;
                        m = self.items[m as usize].next;
                        if m == child {
                            break;
                        }
                    }
                    let dest = &mut self.items[into as usize];
                    dest.uses.truncate(uses);
                    dest.diseqs.truncate(diseqs);
                    dest.value = value;
                    self.cut(edge);
                }
                Some(Undo::Signature(sig)) => {
                    self.signatures.swap_remove(&sig);
                }
                Some(Undo::Diseq(ra, rb)) => {
                    self.items[ra as usize].diseqs.pop();
                    self.items[rb as usize].diseqs.pop();
                }
                None => {}
            }
        }
    }

    /// Removes a forest edge, whichever way later re-rooting turned it.
    fn cut(&mut self, (a, b): (u32, u32)) {
        let end = if self.items[a as usize].edge.is_some_and(|e| e.to == b) {
            a
        } else {
            b
        };
        self.items[end as usize].edge = None;
    }

    /// The forest path from `a` to `b`, as `(from, to, edge)` triples.
    pub(crate) fn path(&self, a: TId, b: TId) -> Vec<(TId, TId, Edge)> {
        let steps = self.node_path(self.at(a), self.at(b));
        steps
            .into_iter()
            .map(|(x, y, e)| (self.items[x as usize].term, self.items[y as usize].term, e))
            .collect()
    }

    fn node_path(&self, a: u32, b: u32) -> Vec<(u32, u32, Edge)> {
        let mut above: IndexSet<u32, FxBuildHasher> = IndexSet::default();
        let mut x = a;
        above.insert(x);
        while let Some(e) = self.items[x as usize].edge {
            x = e.to;
            above.insert(x);
        }
        let mut down = Vec::new();
        let mut y = b;
        while !above.contains(&y) {
            let Some(e) = self.items[y as usize].edge else {
                break;
            };
            down.push((e.to, y, e));
            y = e.to;
        }
        let mut out = Vec::new();
        let mut x = a;
        while x != y {
            let Some(e) = self.items[x as usize].edge else {
                break;
            };
            out.push((x, e.to, e));
            x = e.to;
        }
        out.extend(down.into_iter().rev());
        out
    }

    /// Literals that imply `a = b`, for terms of one class.
    pub(crate) fn explain(&self, a: TId, b: TId) -> Vec<Lit> {
        self.explain_nodes(self.at(a), self.at(b))
    }

    fn explain_nodes(&self, a: u32, b: u32) -> Vec<Lit> {
        let mut lits: IndexSet<Lit, FxBuildHasher> = IndexSet::default();
        let mut done: IndexSet<u32, FxBuildHasher> = IndexSet::default();
        let mut todo = vec![(a, b)];
        while let Some((a, b)) = todo.pop() {
            for (x, y, e) in self.node_path(a, b) {
                if !done.insert(e.time) {
                    continue;
                }
                match e.why {
                    Why::Lit(l) => {
                        lits.insert(l);
                    }
                    Why::Congruence => todo.extend(self.argument_pairs(x, y)),
                }
            }
        }
        lits.into_iter().collect()
    }

    /// The differing arguments of two congruent applications.
    fn argument_pairs(&self, x: u32, y: u32) -> Vec<(u32, u32)> {
        let (Some((_, a)), Some((_, b))) =
            (&self.items[x as usize].app, &self.items[y as usize].app)
        else {
            return Vec::new();
        };
        a.iter()
            .zip(b)
            .filter(|(p, q)| p != q)
            .map(|(p, q)| (*p, *q))
            .collect()
    }
}

/// Calls `f` on the immediate subterms.
pub(crate) fn for_children(bank: &TermBank, t: TId, mut f: impl FnMut(TId)) {
    match bank.node(t) {
        Node::Truth(_) | Node::Sym(_) => {}
        Node::App(_, args) => args.iter().for_each(|a| f(*a)),
        Node::Lin(_, l) | Node::Floor(l) => l.terms.iter().for_each(|(a, _)| f(*a)),
    }
}
