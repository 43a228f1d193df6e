//! The commands beside `check`: each from text to a plain answer, in this process.

pub mod failing;
pub mod interpolate;
pub mod script;
pub mod survey;
pub mod validate;
