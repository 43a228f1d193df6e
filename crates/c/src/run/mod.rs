//! Execution of programs with given inputs, in the meaning of C and by no other means: no terms,
//! no solver. What it says is compared with compiled programs in the tests.
//!
//! Reading order: [`state`] (values and expressions), [`machine`] (operations and calls),
//! [`leap`] (many rounds in one step), [`probe`] (short runs with guessed inputs).

mod leap;
pub mod machine;
pub mod probe;
pub mod state;

pub use machine::{End, Inputs, Limits, Queues, Run, Step, Witness, execute, execute_before};
pub use probe::{Effort, probe};
