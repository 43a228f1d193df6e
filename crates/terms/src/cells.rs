//! The cells of an array value: a sorted map whose copies share what they have in common.
//!
//! A treap (Seidel, Aragon, "Randomized search trees", Algorithmica 1996): nodes are sorted by key, and
//! none has a higher rank than the one above it. The rank of a key is its hash, so a map has one shape,
//! whatever the order of writes.
//!
//! ```text
//! write     copies the path to the key, 2 ln n nodes or so, where a copy shares it; else none
//! a = b     same shape, same entries; a node that both share is not looked into
//! ```
//!
//! So a run of n steps that fills an array of n cells takes n log n time and room, and so does the
//! comparison of each state with the next one.

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::value::Value;

type Key = Vec<Value>;
type Link = Option<Arc<Node>>;

/// A sorted map from index tuples to values.
#[derive(Clone, Default, Debug)]
pub(crate) struct Cells {
    root: Link,
}

#[derive(Clone, Debug)]
struct Node {
    entry: Arc<(Key, Value)>,
    rank: u64,
    left: Link,
    right: Link,
}

impl Node {
    /// Whether a key belongs above this node. Keys of one rank are ranked by themselves.
    fn is_below(&self, rank: u64, key: &[Value]) -> bool {
        (self.rank, self.entry.0.as_slice()) < (rank, key)
    }
}

fn rank(key: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl Cells {
    /// The value of a key.
    pub(crate) fn get(&self, key: &[Value]) -> Option<&Value> {
        Some(&find(&self.root, key)?.entry.1)
    }

    /// Gives a key a value.
    pub(crate) fn insert(&mut self, key: Key, value: Value) {
        let rank = rank(&key);
        let entry = Arc::new((key, value));
        let mut link = &mut self.root;
        while link.as_ref().is_some_and(|n| !n.is_below(rank, &entry.0)) {
            let Some(node) = link.as_mut().map(Arc::make_mut) else {
                return;
            };
            match entry.0.cmp(&node.entry.0) {
                Ordering::Less => link = &mut node.left,
                Ordering::Equal => {
                    node.entry = entry;
                    return;
                }
                Ordering::Greater => link = &mut node.right,
            }
        }
        let (left, right) = split(link.take(), &entry.0);
        *link = Some(Arc::new(Node {
            entry,
            rank,
            left,
            right,
        }));
    }

    /// Takes a key out, which is there.
    pub(crate) fn remove(&mut self, key: &[Value]) {
        let mut link = &mut self.root;
        while let Some(node) = link.take() {
            let order = key.cmp(&node.entry.0);
            if order == Ordering::Equal {
                *link = merge(node.left.clone(), node.right.clone());
                return;
            }
            let node = Arc::make_mut(link.insert(node));
            link = match order {
                Ordering::Less => &mut node.left,
                _ => &mut node.right,
            };
        }
    }

    /// All entries in the order of keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Key, &Value)> {
        let mut above = Vec::new();
        let mut link = &self.root;
        std::iter::from_fn(move || {
            while let Some(node) = link {
                above.push(node);
                link = &node.left;
            }
            let node = above.pop()?;
            link = &node.right;
            Some((&node.entry.0, &node.entry.1))
        })
    }

    /// Entries, in no order, without those that are in pieces of memory shared with the other map: where this
    /// one is the other one and some writes, about as many as writes.
    pub(crate) fn beyond<'a>(
        &'a self,
        known: &'a Cells,
    ) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        let mut open = vec![&self.root];
        std::iter::from_fn(move || {
            while let Some(link) = open.pop() {
                let Some(node) = link else {
                    continue;
                };
                let found = find(&known.root, &node.entry.0);
                if found.is_some_and(|found| Arc::ptr_eq(found, node)) {
                    continue;
                }
                open.extend([&node.left, &node.right]);
                if !found.is_some_and(|found| Arc::ptr_eq(&found.entry, &node.entry)) {
                    return Some((&node.entry.0, &node.entry.1));
                }
            }
            None
        })
    }

    /// Whether both are one piece of memory: then they are equal.
    #[cfg(test)]
    fn shares(&self, other: &Cells) -> bool {
        matches!((&self.root, &other.root), (Some(a), Some(b)) if Arc::ptr_eq(a, b))
    }
}

/// The node of a key.
fn find<'a>(mut link: &'a Link, key: &[Value]) -> Option<&'a Arc<Node>> {
    while let Some(node) = link {
        link = match key.cmp(&node.entry.0) {
            Ordering::Less => &node.left,
            Ordering::Equal => return Some(node),
            Ordering::Greater => &node.right,
        };
    }
    None
}

/// What is below a key, and what is above it; the key is not there.
fn split(link: Link, key: &[Value]) -> (Link, Link) {
    let Some(mut shared) = link else {
        return (None, None);
    };
    let node = Arc::make_mut(&mut shared);
    if node.entry.0.as_slice() < key {
        let (left, right) = split(node.right.take(), key);
        node.right = left;
        (Some(shared), right)
    } else {
        let (left, right) = split(node.left.take(), key);
        node.left = right;
        (left, Some(shared))
    }
}

/// Two maps, all keys of the first below those of the second, as one.
fn merge(left: Link, right: Link) -> Link {
    let (mut a, mut b) = match (left, right) {
        (None, link) | (link, None) => return link,
        (Some(a), Some(b)) => (a, b),
    };
    if a.is_below(b.rank, &b.entry.0) {
        let node = Arc::make_mut(&mut b);
        node.left = merge(Some(a), node.left.take());
        Some(b)
    } else {
        let node = Arc::make_mut(&mut a);
        node.right = merge(node.right.take(), Some(b));
        Some(a)
    }
}

fn same(a: &Link, b: &Link) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            Arc::ptr_eq(a, b)
                || a.rank == b.rank
                    && (Arc::ptr_eq(&a.entry, &b.entry) || a.entry == b.entry)
                    && same(&a.left, &b.left)
                    && same(&a.right, &b.right)
        }
        _ => false,
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        same(&self.root, &other.root)
    }
}

impl Eq for Cells {}

impl PartialOrd for Cells {
    fn partial_cmp(&self, other: &Cells) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cells {
    fn cmp(&self, other: &Cells) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.iter().for_each(|entry| entry.hash(state));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

    use super::{Cells, Key};
    use crate::Integer;
    use crate::value::Value;

    fn int(n: u8) -> Value {
        Value::Int(Integer::from(n))
    }

    fn writes() -> impl Strategy<Value = Vec<(u8, Option<u8>)>> {
        proptest::collection::vec((0u8..40, any::<Option<u8>>()), 0..80)
    }

    /// The same writes on a map of the standard library.
    fn written(cells: &mut Cells, map: &mut BTreeMap<Key, Value>, writes: &[(u8, Option<u8>)]) {
        for &(key, value) in writes {
            let key = vec![int(key)];
            match value {
                Some(value) => {
                    cells.insert(key.clone(), int(value));
                    map.insert(key, int(value));
                }
                None if map.remove(&key).is_some() => cells.remove(&key),
                None => {}
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_a_sorted_map_whose_copies_live_apart(first in writes(), then in writes()) {
            let (mut cells, mut map) = (Cells::default(), BTreeMap::new());
            written(&mut cells, &mut map, &first);
            let (old, old_map) = (cells.clone(), map.clone());
            written(&mut cells, &mut map, &then);
            for (cells, map) in [(&old, &old_map), (&cells, &map)] {
                prop_assert!(cells.iter().eq(map.iter()));
                for key in 0..40 {
                    prop_assert_eq!(cells.get(&[int(key)]), map.get(&vec![int(key)]));
                }
            }
            prop_assert_eq!(cells == old, map == old_map);
            let beyond: BTreeMap<Key, Value> = cells
                .beyond(&old)
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            prop_assert!(beyond.iter().all(|(key, value)| map.get(key) == Some(value)));
            let is_told = |key: &Key| old_map.get(key) == map.get(key) || beyond.contains_key(key);
            prop_assert!(map.keys().all(is_told));
            prop_assert_eq!(cells.cmp(&old), map.iter().cmp(old_map.iter()));
        }

        /// One write to a map of n entries.
        #[test]
        fn what_a_write_changed_is_little(n in 1u8..250, at in 0u8..250, removed: bool) {
            let mut cells = Cells::default();
            (0..n).for_each(|key| cells.insert(vec![int(key)], int(1)));
            let old = cells.clone();
            match removed && at < n {
                true => cells.remove(&[int(at)]),
                false => cells.insert(vec![int(at)], int(2)),
            }
            let changed = cells.beyond(&old).count();
            prop_assert_eq!(changed, usize::from(!(removed && at < n)));
        }

        #[test]
        fn equal_maps_are_equal_whatever_the_order_of_writes(writes in writes()) {
            let (mut cells, mut map) = (Cells::default(), BTreeMap::new());
            written(&mut cells, &mut map, &writes);
            let mut again = Cells::default();
            for (key, value) in map.iter().rev() {
                again.insert(key.clone(), value.clone());
            }
            prop_assert!(cells == again);
            prop_assert!(!cells.shares(&again));
        }
    }
}
