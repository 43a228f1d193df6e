//! Proofs: what is written down for `safe`, and the obligations that make it one.
//!
//! Reading order: `certificate` (the text form), `model`, `plain` (clauses that need no solver), `recursive`
//! (what a model may define by recursion), `clauses` and `system` (the obligations of the two kinds of input), `pre_state`, `print`, `minimise`.

pub(crate) mod certificate;
pub(crate) mod clauses;
pub(crate) mod minimise;
pub(crate) mod model;
pub(crate) mod plain;
pub(crate) mod pre_state;
pub(crate) mod print;
pub(crate) mod recursive;
pub(crate) mod system;
