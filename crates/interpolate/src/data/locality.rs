//! Where symbols live: connected sets of tree nodes, and the cuts of a tree.
//!
//! A sequence of groups is the tree in which group `i+1` is the parent of group `i`. The cut at
//! node `k` separates A = `subtree(k)` from B = the rest. A symbol lives on the smallest connected
//! node set that contains its occurrences; a term lives on the intersection of its symbols' sets.
//! Connected sets of a tree have the Helly property, so a term with a non-empty set is expressible
//! on one side of every cut at least: it is never mixed. (`design: locality by intervals`; for
//! trees Steiner closures replace intervals.)

use smallvec::SmallVec;

/// A set of tree nodes; all sets of one shape have the same number of words.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NodeSet(SmallVec<[u64; 2]>);

impl NodeSet {
    fn empty(n: usize) -> NodeSet {
        NodeSet(SmallVec::from_elem(0, n.div_ceil(64).max(1)))
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Whether node `i` is a member.
    pub(crate) fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Whether there is no member.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    /// The intersection.
    pub(crate) fn meet(&self, o: &NodeSet) -> NodeSet {
        NodeSet(self.0.iter().zip(&o.0).map(|(a, b)| a & b).collect())
    }

    /// Whether the intersection is non-empty.
    pub(crate) fn meets(&self, o: &NodeSet) -> bool {
        self.0.iter().zip(&o.0).any(|(a, b)| a & b != 0)
    }

    /// Whether every member is a member of `o`.
    pub(crate) fn within(&self, o: &NodeSet) -> bool {
        self.0.iter().zip(&o.0).all(|(a, b)| a & !b == 0)
    }

    /// Adds the members of another set.
    pub(crate) fn add(&mut self, o: &NodeSet) {
        for (w, x) in self.0.iter_mut().zip(&o.0) {
            *w |= x;
        }
    }

    fn without(&self, o: &NodeSet) -> NodeSet {
        NodeSet(self.0.iter().zip(&o.0).map(|(a, b)| a & !b).collect())
    }

    /// The member nearest the root: the last in post-order.  The set must be non-empty.
    pub(crate) fn top(&self) -> usize {
        let (w, bits) = self
            .0
            .iter()
            .enumerate()
            .rfind(|(_, b)| **b != 0)
            .unwrap_or((0, &1));
        w * 64 + 63 - bits.leading_zeros() as usize
    }

    /// The first member in post-order.  The set must be non-empty.
    pub(crate) fn bottom(&self) -> usize {
        let (w, bits) = self
            .0
            .iter()
            .enumerate()
            .find(|(_, b)| **b != 0)
            .unwrap_or((0, &1));
        w * 64 + bits.trailing_zeros() as usize
    }
}

/// The class of a term or atom at a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// All its nodes are below the cut.
    ALocal,
    /// None of its nodes is below the cut.
    BLocal,
    /// Expressible on both sides.
    Shared,
}

/// One side of a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The subtree of the node: the A side.
    Below(usize),
    /// The rest: the B side.
    Above(usize),
}

/// The tree of groups, nodes in post-order, root last.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    parent: Vec<Option<usize>>,
    subtree: Vec<NodeSet>,
    rest: Vec<NodeSet>,
}

impl Shape {
    /// The chain of `n` groups.
    pub(crate) fn sequence(n: usize) -> Shape {
        Shape::tree((0..n).map(|i| (i + 1 < n).then_some(i + 1)).collect())
    }

    /// A tree; `parent[i] > i` for every node but the last, which is the root.
    pub(crate) fn tree(parent: Vec<Option<usize>>) -> Shape {
        let n = parent.len();
        let mut subtree: Vec<NodeSet> = Vec::with_capacity(n);
        for i in 0..n {
            let mut set = NodeSet::empty(n);
            set.insert(i);
            for c in 0..i {
                if parent[c] == Some(i) {
                    set.add(&subtree[c]);
                }
            }
            subtree.push(set);
        }
        let all = subtree.last().cloned().unwrap_or_else(|| NodeSet::empty(1));
        let rest = subtree.iter().map(|s| all.without(s)).collect();
        Shape {
            parent,
            subtree,
            rest,
        }
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.parent.len()
    }

    /// The number of cuts: one per non-root node.
    pub(crate) fn cuts(&self) -> usize {
        self.len().saturating_sub(1)
    }

    /// Whether the tree is a path.
    pub(crate) fn is_sequence(&self) -> bool {
        (0..self.cuts()).all(|i| self.parent[i] == Some(i + 1))
    }

    /// The parent of a node.
    pub(crate) fn parent(&self, i: usize) -> Option<usize> {
        self.parent[i]
    }

    /// The set of all nodes.
    pub(crate) fn all(&self) -> NodeSet {
        self.subtree
            .last()
            .cloned()
            .unwrap_or_else(|| NodeSet::empty(1))
    }

    /// The empty set.
    pub(crate) fn none(&self) -> NodeSet {
        NodeSet::empty(self.len())
    }

    /// The set of one node.
    pub(crate) fn single(&self, i: usize) -> NodeSet {
        let mut s = NodeSet::empty(self.len());
        s.insert(i);
        s
    }

    /// The smallest connected set that contains the given nodes.
    pub(crate) fn closure(&self, nodes: &[usize]) -> NodeSet {
        let mut s = NodeSet::empty(self.len());
        let Some(&first) = nodes.first() else {
            return self.all();
        };
        s.insert(first);
        for &v in &nodes[1..] {
            if !s.contains(v) {
                for x in self.path(first, v) {
                    s.insert(x);
                }
            }
        }
        s
    }

    /// The nodes on the tree path between two nodes, both included.
    pub(crate) fn path(&self, u: usize, v: usize) -> Vec<usize> {
        let mut up = vec![u];
        let mut a = u;
        while !self.subtree[a].contains(v) {
            let Some(p) = self.parent[a] else { break };
            a = p;
            up.push(a);
        }
        let mut down = Vec::new();
        let mut b = v;
        while b != a {
            down.push(b);
            let Some(p) = self.parent[b] else { break };
            b = p;
        }
        up.extend(down.into_iter().rev());
        up
    }

    /// The path from a connected set to a disjoint one: first node in `a`, last node in `b`, none
    /// in between.
    pub(crate) fn route(&self, a: &NodeSet, b: &NodeSet) -> Vec<usize> {
        let path = self.path(a.top(), b.top());
        let start = path.iter().rposition(|x| a.contains(*x)).unwrap_or(0);
        let end = path
            .iter()
            .position(|x| b.contains(*x))
            .unwrap_or(path.len() - 1);
        path[start..=end].to_vec()
    }

    /// The side of the edge `from -- to` on which `from` lies.
    pub(crate) fn side_of(&self, from: usize, to: usize) -> Side {
        if self.parent[from] == Some(to) {
            Side::Below(from)
        } else {
            Side::Above(to)
        }
    }

    /// The nodes of a side.
    pub(crate) fn nodes(&self, side: Side) -> &NodeSet {
        match side {
            Side::Below(k) => &self.subtree[k],
            Side::Above(k) => &self.rest[k],
        }
    }

    /// The nodes of the other side.
    pub(crate) fn others(&self, side: Side) -> &NodeSet {
        match side {
            Side::Below(k) => &self.rest[k],
            Side::Above(k) => &self.subtree[k],
        }
    }

    /// The class, at cut `k`, of something that lives on `set`.
    pub(crate) fn class(&self, set: &NodeSet, k: usize) -> Class {
        if set.within(&self.subtree[k]) {
            Class::ALocal
        } else if set.meets(&self.subtree[k]) {
            Class::Shared
        } else {
            Class::BLocal
        }
    }

    /// Whether node `g` is in A at cut `k`.
    pub(crate) fn below(&self, g: usize, k: usize) -> bool {
        self.subtree[k].contains(g)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_a_path() {
        let s = Shape::sequence(5);
        let x = s.closure(&[1, 3]);
        assert!((1..=3).all(|i| x.contains(i)) && !x.contains(0) && !x.contains(4));
        assert_eq!(s.class(&x, 0), Class::BLocal);
        assert_eq!(s.class(&x, 1), Class::Shared);
        assert_eq!(s.class(&x, 3), Class::ALocal);
        assert_eq!((x.bottom(), x.top()), (1, 3));
        assert_eq!(s.route(&s.single(0), &s.single(3)), vec![0, 1, 2, 3]);
        assert_eq!(s.side_of(3, 2), Side::Above(2));
    }

    #[test]
    fn closures_follow_tree_paths() {
        // 0 -> 2 <- 1, 2 -> 4 <- 3
        let s = Shape::tree(vec![Some(2), Some(2), Some(4), Some(4), None]);
        let x = s.closure(&[0, 3]);
        assert!(x.contains(2) && x.contains(4) && !x.contains(1));
        assert_eq!(s.class(&x, 2), Class::Shared);
        assert_eq!(s.class(&x, 1), Class::BLocal);
        assert_eq!(s.path(0, 1), vec![0, 2, 1]);
        assert_eq!(x.top(), 4);
    }
}
