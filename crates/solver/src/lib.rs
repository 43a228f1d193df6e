//! Solver backends: Z3 in process, Z3 as a text process, recorder, fault injection.
