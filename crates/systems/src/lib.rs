//! The rungs of the ladder: Horn clauses and transition systems, their proofs and counterexamples.
