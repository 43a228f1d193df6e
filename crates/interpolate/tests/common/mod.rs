//! The harness of the integration tests: a context with Z3, an independent check, random problems.

#![allow(dead_code, unreachable_pub)]

pub mod chains;
pub mod check;
pub mod generate;
pub mod trial;
