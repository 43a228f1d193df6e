//! Append-only storage whose elements never move.
//!
//! Elements lie side by side in chunks: one allocation for many, and a shared reference to an
//! element stays valid while others are added.

use std::cell::{Cell, OnceCell};

use elsa::FrozenVec;

/// Elements per chunk.
const CHUNK: usize = 256;

/// A growing list of elements that can be read while it grows.
///
/// Invariant: exactly the first `len` cells of the chunks are filled.
#[derive(Clone)]
pub(crate) struct Arena<T> {
    chunks: FrozenVec<Box<[OnceCell<T>]>>,
    len: Cell<usize>,
}

impl<T> Default for Arena<T> {
    fn default() -> Arena<T> {
        Arena {
            chunks: FrozenVec::new(),
            len: Cell::new(0),
        }
    }
}

impl<T> Arena<T> {
    pub(crate) fn len(&self) -> usize {
        self.len.get()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / CHUNK)?[index % CHUNK].get()
    }

    /// Adds an element; its index.
    pub(crate) fn push(&self, element: T) -> usize {
        let index = self.len.get();
        if index.is_multiple_of(CHUNK) {
            self.chunks
                .push((0..CHUNK).map(|_| OnceCell::new()).collect());
        }
        let chunk = self
            .chunks
            .get(index / CHUNK)
            .expect("invariant: the chunk of a new element exists");
        let filled = chunk[index % CHUNK].set(element);
        debug_assert!(filled.is_ok(), "an element is written once");
        self.len.set(index + 1);
        index
    }
}
