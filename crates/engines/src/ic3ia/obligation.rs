//! Proof obligations ⟨cube, level⟩: block this cube at this level, or follow it down to I.
//!
//! Every obligation knows its successor: some state of its cube has a step into the successor's
//! cube, so that the chain is an abstract path to a bad state.

use std::collections::BTreeSet;
use std::rc::Rc;

use foretell_terms::eval::Assignment;

use super::trace::Level;
use crate::abstraction::Cube;

/// A name of an obligation's cube within its queue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(usize);

/// A cube that leads to a bad state, with the concrete step that showed it.
#[derive(Clone)]
pub(super) struct Node {
    /// The cube.
    pub(super) cube: Cube,
    /// A subset of the cube that already excludes I.
    pub(super) init_core: Cube,
    /// A model: current values in the cube and, unless it is the last one, inputs and next values
    /// in the successor's cube; absent when the solver's model could not be spelled out.
    pub(super) model: Option<Rc<Assignment>>,
    /// The cube this one leads to; `None` for a bad cube.
    pub(super) successor: Option<NodeId>,
}

/// The obligations, lowest level first, among equal levels the newest first.
#[derive(Default)]
pub(super) struct ObligationQueue {
    nodes: Vec<Node>,
    open: BTreeSet<(Level, std::cmp::Reverse<usize>, NodeId)>,
    counter: usize,
}

impl ObligationQueue {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = ObligationQueue::default();
    }

    /// Names a cube.
    pub(super) fn node(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// What a name stands for.
    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Opens an obligation.
    pub(super) fn push(&mut self, id: NodeId, level: Level) {
        self.counter += 1;
        self.open
            .insert((level, std::cmp::Reverse(self.counter), id));
    }

    /// Takes the obligation of the lowest level.
    pub(super) fn pop(&mut self) -> Option<(NodeId, Level)> {
        self.open.pop_first().map(|(level, _, id)| (id, level))
    }

    /// The chain from an obligation to its bad cube.
    pub(super) fn path(&self, from: NodeId) -> Vec<Node> {
        let mut chain = Vec::new();
        let mut next = Some(from);
        while let Some(id) = next {
            let node = self.get(id);
            chain.push(node.clone());
            next = node.successor;
        }
        chain
    }
}
