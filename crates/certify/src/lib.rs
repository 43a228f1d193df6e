//! Decides whether a witness proves a verdict about the original text.
//!
//! This is the part of the product that must be right: a verdict is printed only after its witness
//! was accepted here. Proofs become text in the user's vocabulary and are checked on the original
//! text, read by the reader of this crate and by the parser of a solver in a fresh process;
//! counterexamples are replayed step by step by exact evaluation, without any solver.
//!
//! Reading order: [`sexpr`], [`script`], [`report`], [`certificate`].

pub mod certificate;
pub mod cex;
mod chc_text;
pub mod check;
mod horn;
pub mod minimise;
mod model;
mod pre_state;
pub mod print;
pub mod recheck;
pub mod replay;
pub mod report;
mod round;
pub mod script;
pub mod sexpr;
mod skolem;
mod vmt_check;
mod vmt_text;
mod witness;

pub use check::{Checked, check_chc_proof, check_derivation, check_invariant, check_trace};
pub use minimise::{minimise_invariant, minimise_proof};
pub use replay::{replay_derivation, replay_trace};
pub use report::{CertifyOptions, CheckReport, Obligation, Outcome, Status};
pub use round::HEAD as SCRIPT_HEAD;
pub use script::{Checker, Checks, ContextRunner, Dialect, FunctionRunner, ScriptRunner};
pub use vmt_text::PropertyChoice;
