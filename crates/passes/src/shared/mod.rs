//! What the ways back of several passes share: building formulas, replaying derivations, moving
//! auxiliary variables, and checking a translation on random models.

pub mod formula;
pub mod replay;
pub mod validate;
pub mod witness;
