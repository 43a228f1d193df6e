//! The tree of a C text.
//!
//! Reading order: [`tree`] (what there is), [`parse`] (from text, by way of `lang-c`), [`convert`]
//! and [`declare`] (from its tree to ours).

pub mod acsl;
mod convert;
mod declare;
mod literal;
pub mod parse;
pub mod tree;
pub mod walk;

pub use parse::parse;
