//! Blocking: a path of the tree to a query is excluded backward, cube by cube.
//!
//! ```text
//! block(v, q)                                       // v has the query q
//!   while F_v ∧ guard_q has a model                 // bad: a cube over the predicates of v's location
//!     S ← [(v, bad)]
//!     while S has a last (w, c), w entered from u by r
//!       F_w excludes c?                          pop
//!       F_u ∧ guard_r ∧ c[post_r] has a model μ?  push (u, lift(μ)); u the root: an abstract path
//!       else  F_w ← F_w ∧ ¬generalize(core);       pop
//! ```
//!
//! A clause enters a node only by an *unsatisfiable* step into it: from its parent as it is, or, along
//! the rounds `w_0 → w_1 → … → w` of a loop at one location, by induction: ¬g holds in w_0 by the step
//! into it, and in each later round by the step from the round before, of which ¬g is assumed. It is then
//! added to all of them.

use std::rc::Rc;

use foretell_kernel::{Cx, Event, Halt};
use foretell_terms::Term;
use foretell_terms::eval::Assignment;

use super::Search;
use super::edges::Assumed;
use super::tree::{Entry, NodeId};
use crate::abstraction::{Cube, Lifting, Reply, Stop, Valuation, undecided};

/// A cube of a node from which a query is reached.
pub(super) struct Obligation {
    /// The node, and the rule by which it is left.
    pub(super) left: Entry,
    pub(super) cube: Cube,
    /// Values of a step from the cube to the next one; absent when they could not be spelled out.
    pub(super) values: Option<Rc<Assignment>>,
}

/// What blocking came to.
pub(super) enum Blocking {
    /// The bad cube is excluded.
    Blocked,
    /// An abstract path: from the first cube, which a fact reaches, to the last, which a query leaves.
    Path(Vec<Obligation>),
}

/// Where a clause was shown to hold.
enum Shown {
    /// In the node.
    Here,
    /// In all rounds of the loop up to it.
    Along,
}

impl Search<'_> {
    /// A cube of a node from which the target is reached by a rule; `None` if there is none.
    pub(super) fn predecessor(
        &mut self,
        left: Entry,
        target: &Cube,
        cx: &Cx<'_>,
    ) -> Result<Reply<Obligation>, Stop> {
        let at = self.tree.get(left.parent).location;
        self.edges.refresh(&self.tree, at, cx)?;
        let mut answer = self.ask_predecessor(left, target, cx)?;
        if let Reply::Unknown(_) = answer {
            // A fresh solver may decide what a tired one could not.
            self.edges.rebuild(&self.tree, at, cx)?;
            answer = self.ask_predecessor(left, target, cx)?;
        }
        let state = match answer {
            Reply::Sat(state) => state,
            Reply::Unsat(core) => return Ok(Reply::Unsat(core)),
            Reply::Unknown(words) => return Err(undecided(words)),
        };
        let cube = match self.lifting {
            Lifting::On => self.edges.lift(&state, left.rule, target, cx)?,
            Lifting::Off => state.cube,
        };
        let values = state.values;
        Ok(Reply::Sat(Obligation { left, cube, values }))
    }

    fn ask_predecessor(
        &mut self,
        left: Entry,
        target: &Cube,
        cx: &Cx<'_>,
    ) -> Result<Reply<Valuation>, Halt> {
        let at = self.tree.get(left.parent).location;
        let predicates = at.map_or(&self.nowhere, |pred| &self.predicates[pred.index()]);
        self.edges.predecessor(left, target, predicates, cx)
    }

    /// Excludes a bad cube from its node, or finds an abstract path to it.
    pub(super) fn block(&mut self, bad: Obligation, cx: &Cx<'_>) -> Result<Blocking, Stop> {
        let mut stack = vec![bad];
        while let Some(Obligation { left, cube, .. }) = stack.last() {
            cx.budget.check().map_err(Halt::from)?;
            let (id, cube) = (left.parent, cube.clone());
            let node = self.tree.get(id);
            cx.events.emit(Event::Obligation(node.depth, cube.lits()));
            let Some(entry) = node.entry else {
                stack.pop();
                stack.reverse();
                return Ok(Blocking::Path(stack));
            };
            if node.excludes(&cube) {
                stack.pop();
                continue;
            }
            match self.predecessor(entry, &cube, cx)? {
                Reply::Sat(before) => stack.push(before),
                Reply::Unsat(core) => {
                    self.learn_general(id, core, cx)?;
                    stack.pop();
                }
                Reply::Unknown(words) => return Err(undecided(words)),
            }
        }
        Ok(Blocking::Blocked)
    }

    /// Learns a clause that is at least as strong as ¬cube, which the step into the node shows.
    fn learn_general(&mut self, id: NodeId, cube: Cube, cx: &Cx<'_>) -> Result<(), Stop> {
        let (cube, shown) = self.generalize(id, cube, cx)?;
        let nodes = match shown {
            Shown::Here => vec![id],
            Shown::Along => self.tree.rounds(id),
        };
        for node in nodes {
            if !self.tree.get(node).excludes(&cube) {
                self.learn(node, cube.clone(), cx)?;
            }
        }
        Ok(())
    }

    /// Adds the clause ¬cube to a node. Requires that the step into it shows the clause.
    pub(super) fn learn(&mut self, id: NodeId, cube: Cube, cx: &Cx<'_>) -> Result<(), Halt> {
        let (depth, at) = (self.tree.get(id).depth, self.tree.get(id).location);
        cx.events.emit(Event::Lemma(depth, cube.clause(cx.terms)));
        self.edges.add_clause((id, at), &cube, cx)?;
        self.tree.add(id, cube);
        self.changed.insert(id);
        Ok(())
    }

    /// Drops literals as long as the clause can be shown.
    fn generalize(&mut self, id: NodeId, cube: Cube, cx: &Cx<'_>) -> Result<(Cube, Shown), Stop> {
        let (mut cube, mut shown) = (cube, Shown::Here);
        let mut kept: Vec<Term> = Vec::new();
        // The newest literals are those that refinement found: the others are tried last.
        while self.options.generalize
            && let Some(&lit) = cube.lits().iter().rev().find(|l| !kept.contains(l))
        {
            cx.budget.check().map_err(Halt::from)?;
            match self.shown(id, &cube.without(lit), cx)? {
                Some((smaller, how)) => (cube, shown) = (smaller, how),
                None => kept.push(lit),
            }
        }
        Ok((cube, shown))
    }

    /// Whether ¬cube can be shown in a node; if so, for a subset of the cube, and how.
    fn shown(
        &mut self,
        id: NodeId,
        cube: &Cube,
        cx: &Cx<'_>,
    ) -> Result<Option<(Cube, Shown)>, Halt> {
        if let Some(core) = self.excluded(id, cube, Assumed::Node, cx)? {
            return Ok(Some((core, Shown::Here)));
        }
        let rounds = self.tree.rounds(id);
        if !self.options.induction || rounds.len() < 2 {
            return Ok(None);
        }
        let mut needed = Cube::new(Vec::new());
        for (number, &round) in rounds.iter().enumerate() {
            let assumed = match number {
                0 => Assumed::Node,
                _ => Assumed::Clause,
            };
            match self.excluded(round, cube, assumed, cx)? {
                Some(core) => needed = needed.union(&core),
                None => return Ok(None),
            }
        }
        Ok(Some((needed, Shown::Along)))
    }

    /// A subset of the cube that the step into a node excludes; `None` if it does not, or that is not
    /// decided.
    pub(super) fn excluded(
        &mut self,
        id: NodeId,
        cube: &Cube,
        assumed: Assumed,
        cx: &Cx<'_>,
    ) -> Result<Option<Cube>, Halt> {
        let Some(entry) = self.tree.get(id).entry else {
            return Ok(None);
        };
        let at = self.tree.get(entry.parent).location;
        self.edges.refresh(&self.tree, at, cx)?;
        Ok(match self.edges.step(entry, cube, assumed, cx)? {
            Reply::Unsat(core) => Some(core),
            Reply::Sat(()) | Reply::Unknown(_) => None,
        })
    }
}
