//! Linear arithmetic over integers and reals: simplex, integer reasoning, and the certificates of
//! what they derive.

pub(crate) mod cert;

pub(crate) mod simplex;

pub(crate) mod theory;

pub(crate) mod diophantine;

pub(crate) mod integers;
