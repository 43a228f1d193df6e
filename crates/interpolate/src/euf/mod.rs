//! Equality with uninterpreted functions: closure for the search, local explanations for the proof.

pub(crate) mod closure;

pub(crate) mod explain;
