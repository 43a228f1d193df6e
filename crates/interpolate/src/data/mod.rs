//! The data every part speaks: numbers, linear expressions, node sets, terms, atoms.

pub(crate) mod rational;

pub(crate) mod linear;

pub(crate) mod locality;

pub(crate) mod bank;

pub(crate) mod atoms;
