//! The decision order: a binary heap of atoms by activity (VSIDS).
//!
//! Invariant: `place[a] = Some(i)` iff `heap[i] = a`; a parent's activity is not below its
//! children's, ties broken by the smaller atom, so the order is deterministic.

use crate::data::atoms::AtomId;

/// The decision order.
#[derive(Debug)]
pub(crate) struct Order {
    heap: Vec<AtomId>,
    place: Vec<Option<u32>>,
    activity: Vec<f64>,
    step: f64,
}

impl Order {
    /// An empty order.
    pub(crate) fn new() -> Order {
        Order {
            heap: Vec::new(),
            place: Vec::new(),
            activity: Vec::new(),
            step: 1.0,
        }
    }

    /// Makes room for atoms below `n`.
    pub(crate) fn grow(&mut self, n: usize) {
        if self.place.len() < n {
            self.place.resize(n, None);
            self.activity.resize(n, 0.0);
        }
    }

    fn before(&self, a: AtomId, b: AtomId) -> bool {
        let (x, y) = (self.activity[a.index()], self.activity[b.index()]);
        x > y || (x == y && a < b)
    }

    fn set(&mut self, i: usize, a: AtomId) {
        self.heap[i] = a;
        self.place[a.index()] = Some(i as u32);
    }

    fn up(&mut self, mut i: usize) {
        let a = self.heap[i];
        while i > 0 {
            let p = (i - 1) / 2;
            if !self.before(a, self.heap[p]) {
                break;
            }
            self.set(i, self.heap[p]);
            i = p;
        }
        self.set(i, a);
    }

    fn down(&mut self, mut i: usize) {
        let a = self.heap[i];
        loop {
            let mut c = 2 * i + 1;
            if c >= self.heap.len() {
                break;
            }
            if c + 1 < self.heap.len() && self.before(self.heap[c + 1], self.heap[c]) {
                c += 1;
            }
            if !self.before(self.heap[c], a) {
                break;
            }
            self.set(i, self.heap[c]);
            i = c;
        }
        self.set(i, a);
    }

    /// Inserts an atom unless it is there.
    pub(crate) fn insert(&mut self, a: AtomId) {
        if self.place[a.index()].is_none() {
            self.heap.push(a);
            self.up(self.heap.len() - 1);
        }
    }

    /// Removes and returns the first atom.
    pub(crate) fn pop(&mut self) -> Option<AtomId> {
        let first = *self.heap.first()?;
        self.place[first.index()] = None;
        let last = self.heap.pop()?;
        if last != first {
            self.heap[0] = last;
            self.down(0);
        }
        Some(first)
    }

    /// Raises the activity of an atom.
    pub(crate) fn bump(&mut self, a: AtomId) {
        self.activity[a.index()] += self.step;
        if self.activity[a.index()] > 1e100 {
            for x in &mut self.activity {
                *x *= 1e-100;
            }
            self.step *= 1e-100;
        }
        if let Some(i) = self.place[a.index()] {
            self.up(i as usize);
        }
    }

    /// Makes later bumps weigh more.
    pub(crate) fn decay(&mut self) {
        self.step /= 0.95;
    }
}
