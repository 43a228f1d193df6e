//! Foretell for callers in Rust; the command line is its first client.
//!
//! ```no_run
//! use std::time::Duration;
//! use foretell_lib::Check;
//!
//! fn main() -> Result<(), foretell_lib::Error> {
//!     let text = "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
//!         (assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
//!         (assert (forall ((x Int)) (=> (p x) (<= x 10))))";
//!     let answer = Check::new(text).timeout(Duration::from_secs(60)).run()?;
//!     println!("{} {}", answer.verdict(), answer.model().unwrap_or_default());
//!     Ok(())
//! }
//! ```
//!
//! Engines run in processes of their own, so that limits hold. Their executable is the installed
//! `foretell` (named by [`Check::program`], by the variable `FORETELL`, or found in `PATH`); a caller whose
//! `main` begins with [`serve`] needs none and is its own.
//!
//! | wanted | see |
//! |---|---|
//! | an answer about a text, with its proof or counterexample | [`Check`], [`Answer`] |
//! | one property, or each | [`Check::property`], [`Answer::properties`] |
//! | to stop it from another thread | [`Check::stop_handle`] |
//! | what happens meanwhile | [`Check::follow`], [`Event`] |
//! | somebody's model, certificate or counterexample judged | [`Witness`] |
//! | one engine in this process | [`Engine`] |
//! | clauses built by a program | [`build`] |
//!
//! Reading order: [`check`], [`answer`], [`host`] (executables), [`witness`], [`engine`].

pub mod answer;
pub mod check;
pub mod engine;
pub mod host;
pub mod witness;

pub use answer::{Answer, Event};
pub use check::Check;
pub use engine::Engine;
pub use foretell_driver::{
    Counterexample, Diagnostic, Error, Outcome, Property, Refusal, Report, Selection, Settled,
    VerdictKind,
};
pub use foretell_process::Stop;
pub use host::serve;
pub use witness::{Judgement, Witness};

/// Clauses built by a program: terms, predicates and clauses, and their text.
pub mod build {
    pub use foretell_frontends::print_chc;
    pub use foretell_systems::{Atom, ChcSystem, Clause, Pred};
    pub use foretell_terms::{Sort, Term, TermStore};
}
