//! What supervisor and workers say to each other, one JSON value per line.
//!
//! A worker is started with its input on standard input: the [`Job`] on the first line, the bytes of
//! the file after it. It writes [`Message`]s to standard output: one [`Message::Read`] or
//! [`Message::Refused`], any number of [`Message::Progress`], at most one [`Message::Answer`].
//! `docs/formats/worker-protocol.md` is the description for people.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::counterexample::Counterexample;
use crate::portfolio::Configuration;
use crate::worker::statistics::Statistics;

/// What a worker is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The engine and its settings.
    pub configuration: Configuration,
    /// Which property to check.
    pub property: PropertyRequest,
    /// The user's settings, `group.option=value`; they come after those of the configuration.
    pub settings: Vec<String>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The time left, in milliseconds.
    pub time_left: Option<u64>,
    /// The time after which the worker may be stopped to make room for others, in milliseconds.
    #[serde(default)]
    pub slice: Option<u64>,
    /// Whether an answer is expected at once: the solver that checks certificates is started before there
    /// is one.
    #[serde(default)]
    pub eager: bool,
    /// How many bytes the file has; what follows it are lines of [`Shared`]. Without it the file goes on to
    /// the end of the input.
    #[serde(default)]
    pub length: Option<usize>,
    /// What other workers on the same property said so far.
    #[serde(default)]
    pub shared: Vec<Shared>,
    /// The solver executables.
    pub tools: Tools,
    /// Whether the model of clauses is wanted beside the certificate.
    #[serde(default)]
    pub model: bool,
    /// Whether a proof is made smaller before it is checked.
    #[serde(default)]
    pub minimise: bool,
    /// Faults to inject into the solver.
    pub faults: Option<Faults>,
    /// Where the solver sessions are recorded.
    pub record: Option<PathBuf>,
}

/// Solver executables.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tools {
    /// Z3, which checks certificates.
    pub z3: Option<PathBuf>,
    /// cvc5, which gives a second opinion on them when it is named.
    pub cvc5: Option<PathBuf>,
}

/// Faults to inject: one in so many queries, 0 is never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// One query in this many is answered `unknown`.
    pub unknown: u64,
    /// One query in this many fails with an error.
    pub error: u64,
    /// One query in this many never returns.
    #[serde(default)]
    pub hang: u64,
    /// One query in this many kills the worker.
    #[serde(default)]
    pub die: u64,
    /// The seed of the choice.
    pub seed: u64,
}

/// Which property of a transition system is to be checked. Clauses have only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyRequest {
    /// All of them as one.
    Together,
    /// The one with this number in the file.
    Number(u64),
    /// The one at this place, counted from 0; where there is none, everything as one.
    Nth(usize),
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The input was read.
    Read(Reading),
    /// The input was refused.
    Refused(Refusal),
    /// How far it is.
    Progress(Statistics),
    /// Something for the other workers on the same property.
    Share(Shared),
    /// The end.
    Answer(Box<Answer>),
}

/// What a worker has to say to others about the same clauses. Nobody takes it for true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    /// Says which clauses, after the passes.
    pub fingerprint: String,
    /// The formulas.
    pub items: Vec<SharedItem>,
}

/// A formula about a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedItem {
    /// What the sender thinks of it.
    pub kind: SharedKind,
    /// The number of the predicate after the passes.
    pub predicate: usize,
    /// SMT-LIB text; `p0`, `p1`, … are the parameters of the predicate.
    pub formula: String,
}

/// What the sender of a formula thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedKind {
    /// It holds in all reachable states.
    Fact,
    /// It holds up to some depth.
    Lemma,
    /// It may matter.
    Idea,
}

/// What the input turned out to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The format.
    pub format: Format,
    /// The numbers of the properties; empty for clauses.
    pub properties: Vec<u64>,
    /// Whether the script asks for a model.
    pub asks_model: bool,
    /// What deserves attention.
    pub warnings: Vec<Finding>,
}

/// A format of inputs, as far as it decides the words of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// SMT-LIB with Horn clauses.
    Horn,
    /// The rules dialect of Z3.
    Z3Rules,
    /// VMT-LIB.
    Vmt,
}

impl Format {
    /// The word for an answer to an input of this format.
    pub fn word(self, verdict: Verdict) -> &'static str {
        match (self, verdict) {
            (Format::Horn, Verdict::Safe) | (Format::Z3Rules, Verdict::Unsafe) => "sat",
            (Format::Horn, Verdict::Unsafe) | (Format::Z3Rules, Verdict::Safe) => "unsat",
            (Format::Vmt, Verdict::Safe) => "safe",
            (Format::Vmt, Verdict::Unsafe) => "unsafe",
            (_, Verdict::Unknown) => "unknown",
        }
    }

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Format::Horn => "horn",
            Format::Z3Rules => "z3-rules",
            Format::Vmt => "vmt",
        }
    }
}

/// An answer in one word that means the same for every format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No bad state is reachable.
    Safe,
    /// A bad state is reachable.
    Unsafe,
    /// Neither is known.
    Unknown,
}

impl Verdict {
    /// The word in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }
}

/// Why an input was not read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// What is wrong.
    pub kind: RefusalKind,
    /// Where; empty for a request that does not fit the input.
    pub findings: Vec<Finding>,
}

/// Whose fault it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The text is malformed.
    Malformed,
    /// The text uses a feature outside the fragment.
    Unsupported,
    /// There is no property of this number.
    NoSuchProperty {
        /// The number that was asked for.
        number: u64,
        /// The numbers there are.
        known: Vec<u64>,
    },
}

/// A located message about the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code.
    pub code: String,
    /// One line.
    pub message: String,
    /// The bytes concerned: first, and behind the last.
    pub span: (usize, usize),
    /// What would help, or why.
    pub notes: Vec<String>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The input was read all the same.
    Warning,
    /// The input was not read.
    Error,
}

/// What a worker found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The answer, with what shows it.
    pub outcome: Outcome,
    /// Who checked it.
    pub checks: Vec<CheckSummary>,
    /// What it took.
    pub statistics: Statistics,
}

/// An answer with what shows it. `Safe` and `Unsafe` are sent only after the check was passed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Outcome {
    /// No bad state is reachable.
    Safe {
        /// The text that was checked.
        certificate: String,
        /// For clauses, when it is wanted: one definition per predicate.
        model: Option<Model>,
    },
    /// A bad state is reachable.
    Unsafe {
        /// The run, for people and for machines.
        counterexample: Counterexample,
        /// The text that can be validated, if the format has one.
        certificate: Option<String>,
    },
    /// Neither is known.
    Unknown {
        /// Why.
        reason: String,
        /// A witness that failed its check.
        rejected: Option<RejectedWitness>,
    },
}

impl Outcome {
    /// The answer in one word.
    pub fn verdict(&self) -> Verdict {
        match self {
            Outcome::Safe { .. } => Verdict::Safe,
            Outcome::Unsafe { .. } => Verdict::Unsafe,
            Outcome::Unknown { .. } => Verdict::Unknown,
        }
    }

    /// The text that can be validated.
    pub fn certificate(&self) -> Option<&str> {
        match self {
            Outcome::Safe { certificate, .. } => Some(certificate),
            Outcome::Unsafe { certificate, .. } => certificate.as_deref(),
            Outcome::Unknown { .. } => None,
        }
    }
}

/// A model of the predicates.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// One `define-fun` per predicate.
    pub text: String,
    /// Whether this very text was checked, or only the certificate it was made from.
    pub checked: bool,
}

/// A witness that failed its check: a verdict that must not be given, kept for the report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RejectedWitness {
    /// What the engine claimed.
    pub claimed: Verdict,
    /// The witness.
    pub witness: String,
    /// What the checker said.
    pub verdict: String,
    /// Every obligation with its state.
    pub report: Vec<String>,
}

/// Who checked a witness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckSummary {
    /// The solver, or `evaluation`.
    pub by: String,
    /// How many obligations held.
    pub obligations: usize,
    /// The time it took, in seconds.
    pub seconds: f64,
}
