//! Decides whether a witness proves a verdict about the original text.
//!
//! This is the part of the product that must be right: a verdict is printed only after its witness
//! was accepted here. Proofs become text in the user's vocabulary and are checked on the original
//! text, read by the reader of this crate and by the parser of a solver in a fresh process;
//! counterexamples are replayed step by step by exact evaluation, without any solver.
//!
//! Reading order: `check` (the four questions), `original` (the text, read once) and `report` (the
//! answers); then the rooms: `text` (reading and asking), `proof` (witnesses of safety), [`cex`]
//! (witnesses of the contrary).

pub mod cex;
mod check;
mod original;
mod proof;
mod report;
mod text;

pub use cex::relevant::without_irrelevant_inputs;
pub use cex::replay::{replay_derivation, replay_trace};
pub use check::{
    Checked, chc_obligations, check_derivation, check_invariant, check_proof, check_trace,
    invariant_text, proof_text, vmt_obligations,
};
pub use original::{ChosenGoal, OriginalClauses, OriginalSystem, ReadText};
pub use proof::minimise::{minimise_invariant, minimise_proof, minimise_witness};
pub use proof::print::WriteFormula;
pub use report::{CertifyOptions, CheckReport, Obligation, Outcome, Status};
pub use text::round::HEAD as SCRIPT_HEAD;
pub use text::script::{Checker, Dialect, ScriptRunner};
pub use text::sexpr::{Document, Id};
