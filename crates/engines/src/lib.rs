//! One algorithm per module, from problem to verdict.

pub mod ic3ia;
