//! Sorts, values and hash-consed terms: building, substitution, evaluation and printing.
//!
//! This crate knows no solver, no file and no clock. A [`Term`] is a small `Copy` index into an
//! append-only [`TermStore`]; structural equality is identity, and the order of terms is the order
//! of their creation, so that every run over the same input is the same run. A child is always
//! created before its parent: ascending order of terms is a topological order, and every traversal
//! here is a loop, never a recursion, because real inputs nest a million levels deep.
//!
//! Reading order: [`number`], `sort`, `op`, `store`, `build` (with its siblings for arithmetic,
//! arrays and bit-vectors), `walk`, `subst`, [`linear`], [`logic`], `cells`, `value`, [`eval`],
//! [`plan`], `sheet`, [`print`](print()).

mod arena;
mod build;
mod build_arith;
mod build_array;
mod build_bv;
mod cells;
mod data;
pub mod eval;
mod eval_bv;
pub mod linear;
pub mod logic;
pub mod number;
mod op;
pub mod plan;
pub mod print;
mod print_data;
mod print_sharing;
mod recursive;
mod sheet;
mod sort;
mod store;
mod subst;
mod value;
mod walk;

pub use data::{
    Constructor, ConstructorDecl, DataDecl, FieldDecl, Instance, Recursion, Selector, Spelling,
};
pub use number::{Integer, Natural, Rational};
pub use op::{BvOp, Node, Op};
pub use recursive::Recursive;
pub use sheet::{Plan, Sheet};
pub use sort::{Sort, SortKind};
pub use store::{Func, FuncDecl, Term, TermStore};
pub use subst::Substitution;
pub use value::{ArrayValue, Value};

/// An insertion-ordered map keyed by terms (deterministic iteration, fast hashing).
pub type TermMap<T> = indexmap::IndexMap<Term, T, rustc_hash::FxBuildHasher>;
/// An insertion-ordered set of terms.
pub type TermSet = indexmap::IndexSet<Term, rustc_hash::FxBuildHasher>;
/// An insertion-ordered map keyed by functions.
pub type FuncMap<T> = indexmap::IndexMap<Func, T, rustc_hash::FxBuildHasher>;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_data;
