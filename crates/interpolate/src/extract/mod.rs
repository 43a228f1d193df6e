//! From a proof to interpolants.

pub(crate) mod formula;

pub(crate) mod partial;
