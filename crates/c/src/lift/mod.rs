//! The way back: invariants at points, executions from derivations.

pub mod cex;
pub mod pass;
pub mod proof;

pub use cex::{View, inputs_of, views};
pub use pass::{Encode, Encoding, REPLAY};
pub use proof::invariants;
