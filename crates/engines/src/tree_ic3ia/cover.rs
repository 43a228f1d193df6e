//! Covering: a node whose formula implies that of an older one need not be expanded.
//!
//! ```text
//! cover(w)                                          // w entered from v by r
//!   for each older u at the location of w, neither covered nor gone
//!     for each clause ¬c of u that w lacks
//!       F_v ∧ guard_r ∧ c[post_r] unsatisfiable?  F_w ← F_w ∧ ¬c;  else try the next u
//!     w is covered by u, and what is below w goes
//! ```
//!
//! All that F_w implies follows from the step into w, so the step is what is asked: it decides
//! `F_w ⊨ ¬c` and, where the clause is new, carries it from u to w as propagation does in IC3.

use foretell_kernel::{Cx, Halt};

use super::Search;
use super::edges::Assumed;
use super::tree::{Life, NodeId};

/// What became of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cover {
    /// An older node covers it.
    Covered,
    /// None does.
    Free,
}

impl Search<'_> {
    /// Tries to cover a node.
    pub(super) fn cover(&mut self, id: NodeId, cx: &Cx<'_>) -> Result<Cover, Halt> {
        for older in self.tree.candidates(id) {
            cx.budget.check()?;
            if self.implies(id, older, cx)? {
                self.tree.cover(id, older);
                return Ok(Cover::Covered);
            }
        }
        Ok(Cover::Free)
    }

    /// Whether each clause of an older node holds in this one; clauses that do are added.
    fn implies(&mut self, id: NodeId, older: NodeId, cx: &Cx<'_>) -> Result<bool, Halt> {
        for cube in self.tree.get(older).cubes().to_vec() {
            if self.tree.get(id).excludes(&cube) {
                continue;
            }
            if self.tree.is_refused(id, &cube) {
                return Ok(false);
            }
            match self.excluded(id, &cube, Assumed::Node, cx)? {
                Some(_) => self.learn(id, cube, cx)?,
                None => {
                    self.tree.refuse(id, cube);
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Tries to cover the expanded nodes that have new clauses, those nearest to the root first.
    pub(super) fn cover_changed(&mut self, cx: &Cx<'_>) -> Result<(), Halt> {
        let mut changed: Vec<NodeId> = std::mem::take(&mut self.changed).into_iter().collect();
        if !self.options.cover_inner {
            return Ok(());
        }
        changed.sort_unstable();
        for id in changed {
            if self.tree.get(id).life == Life::Expanded {
                self.cover(id, cx)?;
            }
        }
        self.changed.clear();
        Ok(())
    }
}
