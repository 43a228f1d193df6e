//! Decides whether a witness proves a verdict about the original text.
//!
//! This is the part of the product that must be right: a verdict is printed only after its witness
//! was accepted here. Proofs become text in the user's vocabulary and are checked on the original
//! text, read by the reader of this crate and by the parser of a solver in a fresh process;
//! counterexamples are replayed step by step by exact evaluation, without any solver.
//!
//! Reading order: [`sexpr`], [`script`], [`report`], [`certificate`].

pub mod cex;
pub mod check;
pub mod proof;
pub mod report;
pub mod text;

pub use cex::replay::{replay_derivation, replay_trace};
pub use check::{Checked, check_chc_proof, check_derivation, check_invariant, check_trace};
pub use proof::minimise::{minimise_invariant, minimise_proof};
pub use report::{CertifyOptions, CheckReport, Obligation, Outcome, Status};
pub use text::round::HEAD as SCRIPT_HEAD;
pub use text::script::{Checker, Checks, ContextRunner, Dialect, FunctionRunner, ScriptRunner};
pub use text::vmt::PropertyChoice;
