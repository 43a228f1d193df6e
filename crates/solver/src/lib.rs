//! Solver backends: Z3 in process, Z3 as a text process, recorder, fault injection.
//!
//! The only crate that links Z3. Every answer is three-valued ([`foretell_kernel::Answer`]); a
//! limit, an error or a refusal of the backend becomes `Unknown` or a halt, never `Unsat`.
//!
//! Reading order: `z3` (translation, queries, models), `script` (a fresh process that reads
//! SMT-LIB text), `recorder`, `faulty`, `oracles`.

mod faulty;
mod oracles;
mod recorder;
mod script;
mod z3;

pub use faulty::FaultPlan;
pub use oracles::Z3Oracles;
pub use recorder::{Recorder, Recording};
pub use script::{Answered, Reading, ScriptProcess, StartedScript};
pub use z3::{Z3Solver, prepare};

#[cfg(test)]
mod tests;
