//! One algorithm per module, from problem to verdict.
