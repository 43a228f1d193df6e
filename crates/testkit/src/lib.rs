//! Generators, an explicit-state enumerator and the corpus harness.
