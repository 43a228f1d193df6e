//! Reductions from problem to problem, each with its way back.
//!
//! A pass keeps the verdict: the problem after it is safe exactly when the problem before it is. Its
//! [`foretell_kernel::Lift`] carries a proof or a counterexample back, and what it carries back is
//! checked against the original text by code that cannot see this crate.
//!
//! Reading order: [`reduced`] (composition), [`shared`] (what lifts share), the passes
//! on clauses, then the way down to transition systems: [`alignment`], [`frozen`], [`herbrand`],
//! [`program`], [`single_loop`].

pub mod alignment;
pub mod arguments;
pub mod assume;
pub mod cone_of_influence;
pub mod constants;
pub mod equalities;
pub mod flatten;
pub mod frozen;
pub mod herbrand;
pub mod inline;
pub mod locations;
pub mod pipeline;
pub mod program;
pub mod reduced;
pub mod shared;
pub mod single_loop;
pub mod to_clauses;

pub use alignment::Alignment;
pub use arguments::Arguments;
pub use assume::Assume;
pub use cone_of_influence::ConeOfInfluence;
pub use constants::Constants;
pub use equalities::Equalities;
pub use flatten::Flatten;
pub use frozen::frozen_arguments;
pub use inline::{Inline, InlineOptions};
pub use locations::Locations;
pub use pipeline::{PassOptions, simplify, to_transition_system};
pub use program::LinearProgram;
pub use reduced::{BoxedLift, Composed, Identity, Reduced};
pub use single_loop::SingleLoop;
pub use to_clauses::Clauses;

#[cfg(test)]
mod testing;
