//! Answers in the words of C.
//!
//! Reading order: [`trace`] (an execution as source lines), [`formula`] (terms as C or ACSL),
//! [`annotate`] (invariants inside the source), [`contract`] (of its functions), [`harness`] (a program
//! that fails, with `unset` for what has no value), [`witness`] (the format of SV-COMP).

pub mod annotate;
pub mod contract;
pub mod formula;
pub mod harness;
mod shorten;
pub mod trace;
mod unset;
mod visible;
pub mod witness;

pub use annotate::{LoopNote, annotated, bare_loops, loop_notes};
pub use contract::{ContractNote, contracts, prelude, summaries};
pub use formula::{Dialect, Printer};
pub use harness::{Harness, harness};
pub use trace::{Line, trace};
