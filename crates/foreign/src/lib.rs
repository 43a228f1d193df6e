//! Other Horn solvers as engines that nobody believes.
//!
//! ```text
//! check(S)
//!   text ← S with predicates R0, R1, … and variables x0, x1, …           // spell.rs
//!   sat    read the definitions that were printed: one formula per predicate      // model.rs
//!          tell their conjuncts, which others may prove                           // other.rs
//!          unknown, if one of our solvers refutes them                            // verify.rs
//!   unsat  ask again for a refutation, read the ground facts in it,        // refutation.rs
//!          and find for each a clause and values that derive it from its premises  // rebuild.rs
//!   else   unknown
//! ```
//!
//! What comes out is a proof or a derivation like that of any engine: it is carried back over the
//! passes and checked on the original text before anything is printed. So an error of the other
//! solver costs its answer, never the truth of ours; a model that does not hold is `rejected` by
//! the checker like one of our own.
//!
//! Deviation from a plain call of the other solver: names are replaced by harmless ones, because
//! solvers differ in what they quote. Limits: uninterpreted functions and sorts are not handed
//! over; a refutation is read only in the form of Z3's hyper-resolution proofs.

mod engine;
mod model;
mod other;
mod rebuild;
mod refutation;
mod spell;
mod verify;

pub use engine::{Spacer, SpacerOptions};
pub use other::Other;
