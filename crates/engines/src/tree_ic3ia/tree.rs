//! The reachability tree: nodes at locations, with the clauses that hold there, and covering.
//!
//! A node is one way through the rules to its location; its formula is the conjunction of its
//! clauses. Invariants:
//!
//! ```text
//! v →r w an edge            F_v ∧ guard_r ⊨ F_w[params := post_r]
//! w covered by u            F_w ⊨ F_u, u older than w, u neither covered nor gone; w has no children
//! v expanded                each rule from its location has a child or is impossible under F_v
//! ```
//!
//! Clauses are only added, so an edge stays right. What a node covered is opened again when the node
//! gets a clause that the covered one lacks, is covered itself, or goes.

use std::collections::BTreeSet;

use foretell_systems::Pred;
use foretell_terms::{Term, TermStore};
use indexmap::IndexMap;

use crate::abstraction::Cube;

/// A node; older ones are less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(usize);

impl NodeId {
    /// The position in lists over all nodes.
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// How a node was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The node before.
    pub(super) parent: NodeId,
    /// The rule taken.
    pub(super) rule: usize,
}

/// What has become of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    /// A leaf that is to be covered or expanded.
    Open,
    /// It has the children its rules allow.
    Expanded,
    /// A leaf whose formula implies that of an older node.
    Covered(NodeId),
    /// Cut off with a covered node above it.
    Gone,
}

/// A node.
pub(super) struct Node {
    /// `None` for the root.
    pub(super) location: Option<Pred>,
    /// `None` for the root.
    pub(super) entry: Option<Entry>,
    /// The distance from the root.
    pub(super) depth: u32,
    pub(super) life: Life,
    /// What is excluded: the node's clauses are the negations. None contains another.
    cubes: Vec<Cube>,
    /// How often a clause was added.
    version: usize,
    children: Vec<NodeId>,
    /// The nodes it covers, and some it no longer does.
    covers: Vec<NodeId>,
    /// Cubes that were not excluded when the parent had this version.
    refused: IndexMap<Cube, usize>,
}

/// Which open node comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The oldest.
    Breadth,
    /// The newest.
    Depth,
}

/// The tree.
pub(super) struct Tree {
    nodes: Vec<Node>,
    open: BTreeSet<NodeId>,
    /// How often a node was covered.
    pub(super) covered: u64,
}

impl Tree {
    /// The root alone.
    pub(super) fn new() -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            open: BTreeSet::new(),
            covered: 0,
        };
        tree.push(None, None, 0);
        tree
    }

    fn push(&mut self, location: Option<Pred>, entry: Option<Entry>, depth: u32) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node {
            location,
            entry,
            depth,
            life: Life::Open,
            cubes: Vec::new(),
            version: 0,
            children: Vec::new(),
            covers: Vec::new(),
            refused: IndexMap::new(),
        });
        self.open.insert(id);
        id
    }

    /// Adds a child of which nothing is known yet.
    pub(super) fn child(&mut self, parent: NodeId, rule: usize, location: Pred) -> NodeId {
        let depth = self.get(parent).depth + 1;
        let id = self.push(Some(location), Some(Entry { parent, rule }), depth);
        self.nodes[parent.0].children.push(id);
        id
    }

    /// A node.
    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// How many nodes were made.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, the oldest first.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Takes an open node.
    pub(super) fn next_open(&mut self, order: Order) -> Option<NodeId> {
        match order {
            Order::Breadth => self.open.pop_first(),
            Order::Depth => self.open.pop_last(),
        }
    }

    /// Says that a node is about to get its children.
    pub(super) fn expand(&mut self, id: NodeId) {
        self.nodes[id.0].life = Life::Expanded;
    }

    /// The rules from the root to a node.
    pub(super) fn path(&self, id: NodeId) -> Vec<usize> {
        let mut rules = Vec::new();
        let mut at = id;
        while let Some(entry) = self.get(at).entry {
            rules.push(entry.rule);
            at = entry.parent;
        }
        rules.reverse();
        rules
    }

    /// The node and the nodes right above it, as long as they are at its location; the topmost first.
    pub(super) fn rounds(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = vec![id];
        let mut at = id;
        while let Some(entry) = self.get(at).entry
            && self.get(entry.parent).location == self.get(id).location
        {
            found.push(entry.parent);
            at = entry.parent;
        }
        found.reverse();
        found
    }

    /// Older nodes at the location of a node that may cover it, the newest first.
    pub(super) fn candidates(&self, id: NodeId) -> Vec<NodeId> {
        let location = self.get(id).location;
        let fits = |n: &NodeId| {
            let node = self.get(*n);
            node.location == location && matches!(node.life, Life::Open | Life::Expanded)
        };
        (0..id.0).rev().map(NodeId).filter(fits).collect()
    }

    /// The nodes of a location that are neither covered nor gone.
    pub(super) fn uncovered(&self, location: Pred) -> impl Iterator<Item = &Node> {
        let live = |n: &&Node| matches!(n.life, Life::Open | Life::Expanded);
        self.nodes
            .iter()
            .filter(move |n| n.location == Some(location) && live(n))
    }

    /// Adds the clause ¬cube to a node; what it covered and that lacks the clause is opened.
    pub(super) fn add(&mut self, id: NodeId, cube: Cube) {
        let node = &mut self.nodes[id.0];
        node.version += 1;
        node.cubes.retain(|c| !cube.subsumes(c));
        node.cubes.push(cube.clone());
        let covers = std::mem::take(&mut node.covers);
        let (kept, lost) = covers
            .into_iter()
            .partition(|&w| self.get(w).excludes(&cube));
        self.nodes[id.0].covers = kept;
        self.uncover(id, lost);
    }

    /// Opens those of some nodes that this one covers.
    fn uncover(&mut self, by: NodeId, nodes: Vec<NodeId>) {
        for id in nodes {
            if self.get(id).life == Life::Covered(by) {
                self.nodes[id.0].life = Life::Open;
                self.open.insert(id);
            }
        }
    }

    /// Notes that `id` is covered by `by`; everything below it goes.
    pub(super) fn cover(&mut self, id: NodeId, by: NodeId) {
        self.covered += 1;
        self.leave(id, Life::Covered(by));
        self.nodes[by.0].covers.push(id);
        let mut below = std::mem::take(&mut self.nodes[id.0].children);
        while let Some(node) = below.pop() {
            below.append(&mut self.nodes[node.0].children);
            self.leave(node, Life::Gone);
        }
    }

    /// A node is covered or goes: it covers nothing any more.
    fn leave(&mut self, id: NodeId, life: Life) {
        self.open.remove(&id);
        self.nodes[id.0].life = life;
        let covers = std::mem::take(&mut self.nodes[id.0].covers);
        self.uncover(id, covers);
    }

    /// Notes that a cube is not excluded from a node as its parent is now.
    pub(super) fn refuse(&mut self, id: NodeId, cube: Cube) {
        let version = self.parent_version(id);
        self.nodes[id.0].refused.insert(cube, version);
    }

    /// Whether a cube was not excluded from a node with its parent as it is now.
    pub(super) fn is_refused(&self, id: NodeId, cube: &Cube) -> bool {
        self.get(id).refused.get(cube) == Some(&self.parent_version(id))
    }

    fn parent_version(&self, id: NodeId) -> usize {
        let entry = self.get(id).entry;
        entry.map_or(0, |e| self.get(e.parent).version)
    }
}

impl Node {
    /// The excluded cubes.
    pub(super) fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether one clause of the node excludes all states of a cube.
    pub(super) fn excludes(&self, cube: &Cube) -> bool {
        self.cubes.iter().any(|c| c.subsumes(cube))
    }

    /// Whether each clause of another node is implied by one of this node.
    pub(super) fn within(&self, other: &Node) -> bool {
        other.cubes.iter().all(|c| self.excludes(c))
    }

    /// The conjunction of the clauses.
    pub(super) fn formula(&self, terms: &TermStore) -> Term {
        terms.and(self.cubes.iter().map(|c| c.clause(terms)))
    }
}
