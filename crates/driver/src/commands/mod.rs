//! The commands beside `check`: each from text to a plain answer, in this process.

pub mod interpolate;
pub mod survey;
pub mod validate;
