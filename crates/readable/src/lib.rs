//! Formulas made for reading: equivalent ones, and texts of them.
//!
//! Everything here is a pure function of terms; nothing is trusted. What is printed as a model was
//! accepted by the checker in exactly this spelling, and a spelling that is not accepted is not
//! printed.
//!
//! ```text
//! term ─ normal ▸ term ─ shape ▸ Tree ─┬─ shorten ▸ sexp ▸ lets ▸ layout   SMT-LIB text
//!                                      └─ infix                             for pages and explanations
//! ```
//!
//! Reading order: [`model`], [`normal`] (with `comparison` and `range` for what bounds say), [`shape`]
//! (with `arrange` for sums), [`tree`], [`mod@shorten`], [`sexp`], [`lets`], [`layout`](mod@layout), [`infix`](mod@infix), `names`,
//! [`auxiliary`].

mod arrange;
pub mod auxiliary;
mod comparison;
pub mod infix;
pub mod layout;
pub mod lets;
pub mod model;
mod names;
pub mod normal;
mod range;
pub mod sexp;
pub mod shape;
pub mod shorten;
pub mod tree;

pub use model::{Definition, Readable, definitions, formula, model_text};
pub use sexp::Sexp;
pub use tree::{Binder, Head, Tree};
