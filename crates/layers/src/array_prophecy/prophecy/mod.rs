//! Auxiliary variables: what a value was some steps ago, and what it will be at the end.
//!
//! Reading order: [`history`] (Delay, HistRef), [`prophecize`] (Prophecize), [`frozen`] (when neither
//! is needed), [`egraph`] and [`refutation`] (which instances matter), [`capture`] (when a value is
//! taken), [`interpolants`] (more conditions), [`explain`] (what was done, in words).

pub(crate) mod capture;
pub(crate) mod egraph;
pub(crate) mod explain;
pub(crate) mod frozen;
pub(crate) mod history;
pub(crate) mod interpolants;
pub(crate) mod prophecize;
pub(crate) mod refutation;

pub(crate) use prophecize::Instrument;
