//! Auxiliary variables: what a value was some steps ago, and what it will be at the end.
//!
//! Reading order: [`history`] (Delay, HistRef), [`prophecize`] (Prophecize), [`frozen`] (when neither
//! is needed), [`egraph`] and [`refutation`] (which instances matter), [`capture`] (when a value is
//! taken), [`interpolants`] (more conditions), [`explain`] (what was done, in words).

pub mod capture;
pub mod egraph;
pub mod explain;
pub mod frozen;
pub mod history;
pub mod interpolants;
pub mod prophecize;
pub mod refutation;

pub use prophecize::Instrument;
