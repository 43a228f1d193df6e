//! Texts: the independent reader, what it makes of clauses and transition systems, and the scripts
//! that are put to a solver in a process of its own.
//!
//! Reading order: [`sexpr`], `clauses` and `vmt` (the two kinds of input), `horn` and `skolem`
//! (obligations without quantifiers in front), [`script`] and [`round`] (asking).

pub(crate) mod clauses;
pub(crate) mod horn;
pub mod round;
pub mod script;
pub mod sexpr;
pub(crate) mod skolem;
pub mod vmt;
