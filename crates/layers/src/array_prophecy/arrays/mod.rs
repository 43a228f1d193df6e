//! The theory of arrays as uninterpreted functions, refined by instances of its axioms.
//!
//! Reading order: [`abstract_arrays`] (there and back), [`index_set`] (which indices, and when they
//! have their values), [`axioms`] (one function each), [`consecutive`] (which instances there are and
//! which a model violates), [`lambda`] (the cell nobody uses), [`unrolling`] (bounded paths), [`reduce`] (which instances are needed),
//! [`seeds`] (atoms for the engine beneath).

pub(crate) mod abstract_arrays;
pub(crate) mod axioms;
pub(crate) mod consecutive;
pub(crate) mod index_set;
pub(crate) mod lambda;
pub(crate) mod reduce;
pub(crate) mod seeds;
pub(crate) mod unrolling;

pub(crate) use abstract_arrays::{ArrayAbstraction, Equality, Role};
