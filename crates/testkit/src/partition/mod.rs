//! Interpolation problems: random ones, unrolled loops, a check of interpolants that shares no code with
//! the interpolator, and trials that put one to it.

pub mod chains;
pub mod check;
pub mod generate;
pub mod trial;
