//! Reductions from problem to problem, each with its way back.
//!
//! A pass keeps the verdict: the problem after it is safe exactly when the problem before it is
//! (`unpack` of arrays of sums and `folds` over-approximate, `integers` may leave wrapping out, and they
//! say so). Its
//! [`foretell_kernel::Lift`] carries a proof or a counterexample back, and what it carries back is
//! checked against the original text by code that cannot see this crate.
//!
//! Reading order: [`reduced`] (composition), [`shared`] (what lifts share), the passes
//! on clauses, then the way down to transition systems: [`alignment`], [`frozen`], [`herbrand`],
//! [`program`], [`single_loop`].

mod alignment;
mod arguments;
mod assume;
mod cone_of_influence;
mod constants;
mod equalities;
mod flatten;
mod folds;
mod frozen;
mod herbrand;
mod induction;
mod inline;
mod integers;
mod locations;
mod pipeline;
mod prefix_sums;
mod program;
mod rebase;
mod reduced;
mod shared;
mod single_loop;
mod spelled;
mod to_clauses;
mod twins;
mod unpack;

pub use arguments::Arguments;
pub use assume::Assume;
pub use equalities::Equalities;
pub use pipeline::{PassOptions, simplify, to_places, to_transition_system};
pub use reduced::{BoxedLift, Reduced};
pub use spelled::Spelled;
pub use to_clauses::{Clauses, has_universal_property};

#[cfg(test)]
mod testing;
