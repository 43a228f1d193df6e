//! Small algebra: what is done to formulas without asking a solver.
//!
//! Pure functions of terms and values; they know no problem, no solver and no budget. Reading order:
//! [`solve`], [`eliminate`], `cases`, [`exists`], [`implicant`], [`clauses`], [`project`], [`affine`], [`close`], [`prenex`], [`arrays`].

pub mod affine;
pub mod arrays;
mod cases;
pub mod clauses;
pub mod close;
pub mod eliminate;
pub mod exists;
pub mod implicant;
pub mod prenex;
pub mod project;
pub mod solve;

pub use affine::Hull;
pub use clauses::parts;
pub use close::{Quantifier, base_name, bound_vars, close, close_as, instantiate};
pub use exists::exists;
pub use implicant::{implicant, known};
pub use project::project;
pub use solve::{Equations, Solved, definition, solve};
