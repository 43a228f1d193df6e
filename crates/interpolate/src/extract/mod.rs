//! From a proof to interpolants.

pub(crate) mod formula;

pub(crate) mod partial;

pub(crate) mod line;

pub(crate) mod bdd;

pub(crate) mod simplify;
