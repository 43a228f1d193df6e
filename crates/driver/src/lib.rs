//! Assembles ladder, engines and checker, and supervises the processes they run in.
//!
//! ```text
//! supervisor ── one worker process per configuration ── pipeline: read ▸ passes ▸ engine ▸ lift ▸ certify
//!     ▲                                                    │
//!     └────────────── JSON lines: reading, progress, answer ┘
//! ```
//!
//! A worker answers only with a witness that was checked on the original text; the supervisor owns
//! the clock and the memory, takes the first answer and ends the others. This crate neither prints
//! nor reads arguments: what happens is told to an [`Observer`].
//!
//! Reading order: [`protocol`] (what the processes say to each other), [`registry`] and
//! [`portfolio`] (which engines there are and in which order they run), [`worker`] with its
//! [`worker::pipeline`] (the straight line from text to checked answer), [`check`] (the supervisor),
//! [`hints`] and [`learn`] (what goes in and comes out besides), [`commands`], [`conversation`],
//! [`program`] (C).

pub mod check;
pub mod claims;
pub mod commands;
pub mod conversation;
pub mod error;
mod features;
pub mod hints;
pub mod learn;
pub mod portfolio;
pub mod program;
pub mod protocol;
pub mod registry;
pub mod resume;
mod single;
pub mod worker;

pub use check::{
    Ends, Happening, Host, Incident, Observer, Remote, Report, Request, Run, Selection, Settled,
    check,
};
pub use error::Error;
pub use foretell_frontends::{Format, Question, QuestionKind};
pub use foretell_kernel::VerdictKind;
pub use foretell_smtlib::{Class, Diagnostic, Severity};
pub use foretell_systems::{Counterexample, Property};
pub use portfolio::{Configuration, Portfolio, Step};
pub use protocol::{Answer, Ask, Common, Job, Learned, Message, Outcome, Reading, Refusal};

#[cfg(test)]
mod tests;
