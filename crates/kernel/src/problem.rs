//! Problems and verdicts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::halt::Reason;

/// Something that is either safe or unsafe, and knows what shows it.
pub trait Problem {
    /// What proves safety.
    type Proof;
    /// What refutes it.
    type Cex;
    /// What engines tell each other about it: a formula that may matter, see [`crate::peers`].
    type Fact;
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

/// A verdict without its witness, in one word that means the same for every format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    /// No bad state is reachable.
    Safe,
    /// A bad state is reachable.
    Unsafe,
    /// Neither is known.
    Unknown,
}

impl VerdictKind {
    /// The word in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Safe => "safe",
            VerdictKind::Unsafe => "unsafe",
            VerdictKind::Unknown => "unknown",
        }
    }

    /// The verdict of a word in machine-readable output.
    pub fn from_name(name: &str) -> Option<VerdictKind> {
        let all = [VerdictKind::Safe, VerdictKind::Unsafe, VerdictKind::Unknown];
        all.into_iter().find(|verdict| verdict.name() == name)
    }

    /// Whether this is `Safe` or `Unsafe`.
    pub fn is_answer(self) -> bool {
        self != VerdictKind::Unknown
    }

    /// Whether both are answers and differ.
    pub fn contradicts(self, other: VerdictKind) -> bool {
        self.is_answer() && other.is_answer() && self != other
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
