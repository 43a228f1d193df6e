//! What is done to an interpolant before it is given out.
//!
//! Reading order: `filter` (only the parts a core needs are refuted), `verify` (every answer is
//! checked by another solver), `words` (bits become words again), `polish` (smaller formulas),
//! `constants` (weaker constants), `cubes` (what is given when no proof was found).

pub(crate) mod constants;
pub(crate) mod cubes;
pub(crate) mod filter;
pub(crate) mod polish;
pub(crate) mod verify;
pub(crate) mod words;
