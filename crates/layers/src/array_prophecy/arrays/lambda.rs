//! The index λ: a cell that no step reads or writes.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, sections 4.2 and 6.1 (after Bradley, Manna, Sipma, "What's
//! decidable about arrays?", VMCAI 2006). Part of the refinement in `array_prophecy.rs`.
//!
//! ```text
//! λσ ≠ i    for every index i of the system, in every state and step
//! ```
//!
//! Without λ two constant arrays with finitely many writes may be taken for equal, and a path that the
//! theory of arrays refutes violates no instance. In a run of finite length there is such a cell when
//! the index sort is infinite. In a finite sort there need be none: no λ is made there, hence the
//! abstraction may give up where it could go on, but nothing is excluded that is possible.
//!
//! Departures: λ is added when a path violates no instance and is not genuine, not from the start.
//! λ is a cell for one run and no term of the problem; how an invariant that speaks of it comes back is
//! said in `lift.rs`. Limits: arrays with one index.

use foretell_terms::{Sort, SortKind, Term, TermStore};

use super::axioms::{self, Axiom};

/// Whether every finite set of values of a sort leaves out one.
pub(crate) fn is_infinite(sort: Sort, terms: &TermStore) -> bool {
    matches!(terms.kind(sort), SortKind::Int | SortKind::Real)
}

/// `λ ≠ i`
pub(crate) fn apart(lambda: Term, index: Term, terms: &TermStore) -> Axiom {
    axioms::distinct(terms, lambda, index)
}
