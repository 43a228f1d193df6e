//! The theory of arrays as uninterpreted functions, refined by instances of its axioms.
//!
//! Reading order: [`abstract_arrays`] (there and back), [`index_set`] (which indices, and when they
//! have their values), [`axioms`] (one function each), [`enumerate`] (which instances there are and
//! which a model violates), [`lambda`] (the cell nobody uses), [`unrolling`] (bounded paths), [`reduce`] (which instances are needed),
//! [`seeds`] (atoms for the engine beneath).

pub mod abstract_arrays;
pub mod axioms;
pub mod enumerate;
pub mod index_set;
pub mod lambda;
pub mod reduce;
pub mod seeds;
pub mod unrolling;

pub use abstract_arrays::{ArrayAbstraction, Equality, Role};
