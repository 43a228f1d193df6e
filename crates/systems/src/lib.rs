//! The rungs of the ladder: Horn clauses and transition systems, what proves and what refutes
//! them, and how to pose questions about them.
//!
//! Plain data with stated invariants; no algorithm, no solver. Reading order: [`chc`],
//! [`transition`], [`property`], [`plain`], [`auxiliary`], [`unroll`], [`config`].

pub mod auxiliary;
pub mod chc;
pub mod config;
pub mod plain;
pub mod property;
pub mod transition;
pub mod unroll;

pub use auxiliary::Auxiliary;
pub use chc::{
    Atom, ChcProof, ChcSystem, Clause, ClauseId, Derivation, DerivationStep, Pred, PredDecl,
};
pub use config::solver_config;
pub use plain::Counterexample;
pub use property::Property;
pub use transition::{
    Arbitrary, Control, Guide, Invariant, Revision, StateVar, Trace, TraceStep, TransitionSystem,
};
pub use unroll::Unroller;

#[cfg(test)]
mod tests;
