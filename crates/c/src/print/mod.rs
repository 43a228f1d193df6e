//! Answers in the words of C.
//!
//! Reading order: [`trace`] (an execution as source lines), [`formula`] (terms as C or ACSL),
//! [`annotate`] (invariants inside the source), [`harness`] (a program that fails), [`witness`] (the format of SV-COMP).

pub mod annotate;
pub mod formula;
pub mod harness;
pub mod trace;
pub mod witness;

pub use annotate::{LoopNote, annotated, loop_notes};
pub use formula::{Dialect, Printer};
pub use harness::{Harness, harness};
pub use trace::{Line, trace};
