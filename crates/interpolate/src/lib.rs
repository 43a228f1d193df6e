//! A proof-producing solver and the interpolants read off its proofs.
//!
//! Sequence and tree interpolants over equality, uninterpreted functions and linear arithmetic. The
//! crate links no solver: it asks the oracles of the context for unsatisfiable cores and for the
//! check of every answer.
//!
//! Reading order: `data` (numbers, node sets, terms, atoms), `proof`, `sat`, `euf`, `arith`,
//! `refute` (the search and the combination of theories), `extract` (partial interpolants, normal
//! forms), `border` (outer terms in and out), `blast` (bit-vectors), `query` (one question without
//! oracle), `finish` (what is done to an interpolant before it is given out), `reuse` (lemmas kept
//! between queries), `interpolator`, and beside it `groups` (named groups).
//!
//! Figures, a comparison with other tools, and limits: `docs/interpolation.md`.

mod arith;
mod blast;
mod border;
mod data;
mod euf;
mod extract;
mod finish;
mod groups;
mod interpolator;
mod options;
mod proof;
mod query;
mod refute;
mod reuse;
mod sat;
mod world;

pub use border::symbols::Vocabulary;
pub use groups::{GroupError, GroupedAssertion, NamedAnswer, NamedGroups};
pub use interpolator::{Itp, Stats};
pub use options::InterpolateOptions;
pub use reuse::Lemmas;

#[cfg(test)]
mod tests;
