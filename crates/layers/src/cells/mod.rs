//! Arrays at finitely many indices: a method of this project, for the predicates see `hints.rs`.
//!
//! Reading order: [`project`] (formulas), [`build`] (systems), `positions.rs` (which indices), [`layer`]
//! (the abstraction with its refinement), `hints.rs` (predicates for the engine beneath).

pub(crate) mod build;
mod hints;
pub(crate) mod layer;
mod polarity;
mod positions;
pub(crate) mod project;

pub use layer::{Cells, CellsOptions};
