//! Sorts, interned in the term store.

use crate::data::DataId;

/// A sort; an index into the store that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sort(pub(crate) u32);

impl Sort {
    /// The sort of truth values, the same in every store.
    pub const BOOL: Sort = Sort(0);
    /// The sort of mathematical integers, the same in every store.
    pub const INT: Sort = Sort(1);
    /// The sort of real numbers, the same in every store.
    pub const REAL: Sort = Sort(2);
}

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SortKind {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Real numbers.
    Real,
    /// Bit-vectors of a positive width.
    BitVec(u32),
    /// Total maps from one or more index sorts to an element sort.
    Array {
        /// The index sorts, at least one.
        indices: Box<[Sort]>,
        /// The element sort; it may be an array sort itself.
        element: Sort,
    },
    /// A sort declared by the user, by name.
    Uninterpreted(Box<str>),
    /// An algebraic datatype.
    Data(DataId),
}
