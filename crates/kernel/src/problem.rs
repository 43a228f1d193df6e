//! Problems and verdicts.

use crate::halt::Reason;

/// Something that is either safe or unsafe, and knows what shows it.
pub trait Problem {
    /// What proves safety.
    type Proof;
    /// What refutes it.
    type Cex;
}

/// The outcome of checking a problem. There is no bare yes or no: an answer carries its witness.
#[derive(Clone, Debug)]
pub enum Verdict<P: Problem> {
    /// No bad state is reachable; the proof says why.
    Safe(P::Proof),
    /// A bad state is reachable; the counterexample says how.
    Unsafe(P::Cex),
    /// Neither is known, with an honest reason.
    Unknown(Reason),
}
