//! Texts: the independent reader, what it makes of clauses and transition systems, and the scripts
//! that are put to a solver in a process of its own.
//!
//! Reading order: `sexpr`; `clauses` and `horn` (clause systems); `vmt`, `annotations` and `times`
//! (transition systems); `skolem` (obligations without quantifiers in front), `script` and `round`
//! (asking).

mod annotations;
mod batch;
pub(crate) mod clauses;
pub(crate) mod horn;
pub(crate) mod parts;
pub(crate) mod round;
mod scopes;
pub(crate) mod script;
pub(crate) mod sexpr;
pub(crate) mod skolem;
pub(crate) mod times;
pub(crate) mod vmt;
