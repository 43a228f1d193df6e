//! SMT-LIB text to terms and commands, with source positions.
