//! What a check found, and how hard it may try.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::sexpr::TextError;

foretell_kernel::options! {
    /// Options of the checker.
    pub struct CertifyOptions("certify") {
        /// Seconds for one obligation in one attempt.
        seconds: f64 = 10.0, 0.001..=86_400.0;
        /// Attempts with different solver settings for an obligation that stays undecided.
        attempts: usize = 4, 1..=64;
        /// Whether each step of a counterexample is asked a second time on the original text.
        recheck_unsafe: bool = true;
        /// Work for leaving out conjuncts that a proof does not need, in nominal milliseconds.
        minimise_ms: u64 = 1000, 0..=3_600_000;
    }
}

/// The result of a check. Only `Accepted` permits a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every obligation holds.
    Accepted,
    /// The witness is wrong; the words say which part.
    Rejected(String),
    /// It could not be decided; the words say why.
    Undecided(String),
}

impl Outcome {
    /// Whether the witness was accepted.
    pub fn is_accepted(&self) -> bool {
        *self == Outcome::Accepted
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Accepted => write!(f, "accepted"),
            Outcome::Rejected(what) => write!(f, "rejected: {what}"),
            Outcome::Undecided(why) => write!(f, "undecided: {why}"),
        }
    }
}

/// The state of one obligation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails,
    /// Not decided; the solver's words.
    Open(String),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Holds => write!(f, "holds"),
            Status::Fails => write!(f, "fails"),
            Status::Open(why) => write!(f, "open, {why}"),
        }
    }
}

/// One obligation and what became of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Obligation {
    /// What must hold, in words.
    pub what: String,
    /// Whether it does.
    pub status: Status,
}

/// The report of one check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[must_use]
pub struct CheckReport {
    /// The result.
    pub outcome: Outcome,
    /// The obligations in order.
    pub obligations: Vec<Obligation>,
    /// The time it took.
    pub seconds: f64,
    /// Who decided the obligations.
    pub solver: String,
}

impl CheckReport {
    /// A report without obligations.
    pub(crate) fn bare(outcome: Outcome, solver: &str) -> CheckReport {
        CheckReport {
            outcome,
            obligations: Vec::new(),
            seconds: 0.0,
            solver: solver.to_string(),
        }
    }

    /// The report on obligations: accepted only when there is one and all hold.
    pub(crate) fn of(obligations: Vec<Obligation>, seconds: f64, solver: &str) -> CheckReport {
        let failed = obligations.iter().find(|o| o.status == Status::Fails);
        let why = |o: &Obligation| match &o.status {
            Status::Open(why) => Some(format!("{}: {why}", o.what)),
            _ => None,
        };
        // What the solver refuses to read says more than what was not asked because of it.
        let refused =
            |o: &&Obligation| matches!(&o.status, Status::Open(why) if why.starts_with("(error"));
        let open = obligations
            .iter()
            .find(refused)
            .and_then(why)
            .or_else(|| obligations.iter().find_map(why));
        let outcome = match (failed, open) {
            (Some(o), _) => Outcome::Rejected(o.what.clone()),
            (None, Some(why)) => Outcome::Undecided(why),
            (None, None) if obligations.is_empty() => {
                Outcome::Undecided("there is nothing to check".into())
            }
            (None, None) => Outcome::Accepted,
        };
        CheckReport {
            outcome,
            obligations,
            seconds,
            solver: solver.to_string(),
        }
    }
}

/// Why a check could not be posed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The problem's text cannot be used; the check is undecided.
    Problem(TextError),
    /// The witness is malformed; it is rejected.
    Witness(String),
}

impl Refusal {
    /// A refusal of the witness with its place.
    pub(crate) fn witness(error: &TextError) -> Refusal {
        Refusal::Witness(format!("witness, {error}"))
    }
}

impl From<Refusal> for Outcome {
    fn from(refusal: Refusal) -> Outcome {
        let what = refusal.to_string();
        match refusal {
            Refusal::Problem(_) => Outcome::Undecided(what),
            Refusal::Witness(_) => Outcome::Rejected(what),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Problem(error) => write!(f, "problem, {error}"),
            Refusal::Witness(what) => write!(f, "{what}"),
        }
    }
}
