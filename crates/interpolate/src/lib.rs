//! A proof-producing solver and the interpolants read off its proofs.
