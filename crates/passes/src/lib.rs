//! Reductions from problem to problem, each with its way back.
