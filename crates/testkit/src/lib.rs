//! The test house: everything that tests of several crates need. A dev-dependency only.
//!
//! * [`with_cx`] runs a test in a context; [`Backends`] are the one set of oracles for tests.
//! * [`corpus`](mod@corpus) is the one walker of the corpus; [`solve`](fn@solve) takes a text and an
//!   engine through the product's pipeline and always to a checked answer; [`read`] gives problems
//!   written as text.
//! * [`generate`] and [`enumerate`]: what the generators make is finite on purpose, every variable ranges
//!   over a small [`domain`] that the system itself enforces, so that the enumerator decides it by brute
//!   force and engines can be compared with the truth.
//! * [`partition`]: interpolation problems and an independent check of interpolants.
//! * [`relations`], [`settings`], [`mutate`], [`reduce`], [`targets`]: variants of a system with the same
//!   answer, random settings, changed texts, smaller texts, and every reader as a function of bytes.
//! * [`sessions`]: random conversations with the executable, judged by fresh runs.

pub mod backends;
pub mod context;
pub mod corpus;
pub mod domain;
pub mod enumerate;
pub mod generate;
pub mod hints;
pub mod mutate;
pub mod partition;
pub mod read;
pub mod reduce;
pub mod relations;
pub mod scripts;
pub mod sessions;
pub mod settings;
pub mod solve;
pub mod targets;

pub use backends::Backends;
pub use context::{over, told, with_cx, within};
pub use corpus::{Case, Expected, case, corpus};
pub use scripts::{Keeping, Scripts};
pub use solve::{Answer, Certified, Extras, Plan, RunLimits, attempt, must, solve};

#[cfg(test)]
mod tests;
