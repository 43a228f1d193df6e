//! The interpolator from outside: every interpolant is checked by other means.

mod answers;
mod arrays;
mod bitvectors;
mod chains;
mod fuzz;
mod reuse;
mod sorts;
