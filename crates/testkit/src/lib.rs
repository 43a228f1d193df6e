//! Generators, an explicit-state enumerator and shared test harness. A dev-dependency only.
//!
//! What the generators make is finite on purpose: every variable ranges over a small domain that the
//! system itself enforces, so that the enumerator decides it by brute force and engines can be
//! compared with the truth.
//!
//! Reading order: [`domain`], [`enumerate`], [`generate`].

pub mod domain;
pub mod enumerate;
pub mod generate;

#[cfg(test)]
mod tests;
