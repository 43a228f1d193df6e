//! What supervisor and workers say to each other, one JSON value per line.
//!
//! A worker is started with its input on standard input: the [`Job`] on the first line, the bytes of
//! the file after it. One on another machine writes [`Message::Hello`] first. It writes [`Message`]s to standard output: one [`Message::Read`] or
//! [`Message::Refused`], any number of [`Message::Progress`], at most one [`Message::Answer`].
//! `docs/formats/worker-protocol.md` is the description for people.

use std::path::PathBuf;

use foretell_certify::{CheckReport, Document, Id, cex};
use foretell_frontends::{Format, Question, QuestionKind};
use foretell_kernel::VerdictKind;
use foretell_smtlib::Diagnostic;
use foretell_systems::{Counterexample, Property};
use serde::{Deserialize, Serialize};

use crate::portfolio::Configuration;
use crate::worker::statistics::Statistics;
use crate::worker::trail::Deeds;

/// What a worker is to do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Job {
    /// The engine and its settings.
    pub configuration: Configuration,
    /// Which property to check.
    pub ask: Ask,
    /// The time left, in milliseconds.
    #[serde(default)]
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
    /// What it is wanted for.
    #[serde(default)]
    pub purpose: Purpose,
    /// What somebody claims, when that is to be checked.
    #[serde(default)]
    pub claim: Option<Claim>,
    /// Whether the supervisor is on the same machine.
    #[serde(default)]
    pub place: Place,
    /// What all workers of a check are told.
    #[serde(default)]
    pub common: Common,
}

/// What a worker is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// An answer.
    #[default]
    Answer,
    /// What can be proved of what others said, whatever is asked.
    Learn,
    /// Whether a claim of somebody else is true.
    Check,
}

/// Where a worker is, as seen from its supervisor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the same machine, by whose paths it finds its tools, and with which it dies.
    #[default]
    Here,
    /// On another one: it says first which build it is, uses the tools there, and ends with its input.
    Elsewhere,
}

/// An answer that nobody believes yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What it says.
    pub verdict: VerdictKind,
    /// What is to show it.
    pub witness: String,
    /// The text of a model beside the certificate, to be checked as well.
    pub model: Option<String>,
}

impl Claim {
    /// A witness that comes without a model beside it: a plain model is its own.
    pub(crate) fn new(verdict: VerdictKind, witness: &str) -> Claim {
        let plain = verdict == VerdictKind::Safe && !witness.starts_with("(certificate");
        Claim {
            verdict,
            witness: witness.to_owned(),
            model: plain.then(|| witness.to_owned()),
        }
    }
}

/// What was learnt about an input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// Definitions in the syntax of models that hold in all reachable states and are inductive together;
    /// checked on the original text. Empty when there are none.
    pub definitions: String,
    /// How many formulas they are made of.
    pub n_facts: usize,
    /// Formulas that somebody found worth looking at and that are not known to hold, as definitions.
    pub candidates: Vec<String>,
}

/// What all workers of a check are told.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Common {
    /// The user's settings, `group.option=value`; they come after those of the configuration.
    pub settings: Vec<String>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The solver executables.
    pub tools: Tools,
    /// Whether somebody will read the proof; of clauses, also the model beside the certificate.
    pub model: bool,
    /// How much of a proof that is read is kept.
    pub proof: Detail,
    /// How much of a counterexample is kept.
    pub counterexample: Detail,
    /// Faults to inject into the solver.
    pub faults: Option<Faults>,
    /// Whether somebody will look at what engines did, one by one.
    pub events: bool,
    /// Whether witnesses are told before they are checked.
    pub witnesses: bool,
    /// Where the solver sessions are recorded; with several configurations their names are added.
    pub record: Option<PathBuf>,
}

/// How much of a witness is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// What matters, in the form that reads best.
    #[default]
    Relevant,
    /// Everything, as it was found.
    Everything,
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

/// What is to be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// This property.
    One(Property),
    /// The one of this name.
    Named(String),
    /// The first one that engines can check; everything where there is none.
    First,
    /// The first one where the format wants an answer for each ([`Reading::wants_each`]), otherwise all as
    /// one.
    Natural,
}

impl Default for Ask {
    fn default() -> Ask {
        Ask::One(Property::All)
    }
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// A worker elsewhere: which build it is.
    Hello {
        /// Of the program and of the solver.
        build: String,
    },
    /// The input was read.
    Read(Reading),
    /// The input was refused.
    Refused(Refusal),
    /// How far it is.
    Progress(Statistics),
    /// Something for the other workers on the same property.
    Share(Shared),
    /// What the engine did, when somebody wants to know.
    Events(Deeds),
    /// An answer was found and is being checked: the worker is not killed for others any more.
    Found {
        /// What it will be if the check is passed.
        claim: VerdictKind,
    },
    /// What is to show the answer that was found, before it is checked, when somebody wants to know.
    Witness(Claim),
    /// The end.
    Answer(Box<Answer>),
    /// The end, when that was wanted.
    Learned(Learned),
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
    /// The number of the predicate in the input; 0 for the state of a transition system.
    pub predicate: usize,
    /// SMT-LIB text; `p0`, `p1`, … are the parameters of the predicate.
    pub formula: String,
}

/// What the input turned out to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The format.
    pub format: Format,
    /// What it asks: properties, or goals of clauses.
    pub questions: Vec<Question>,
    /// Whether the script asks for a model.
    pub asks_model: bool,
    /// What deserves attention.
    pub warnings: Vec<Diagnostic>,
}

impl Reading {
    /// Whether every question gets an answer of its own when nobody says how to ask: several queries, as Z3
    /// does, and liveness besides.
    pub(crate) fn wants_each(&self) -> bool {
        let live = |q: &Question| q.kind == QuestionKind::Liveness;
        (self.format == Format::Z3Rules && self.questions.len() > 1)
            || self.questions.iter().any(live)
    }

    /// The question of a number.
    pub fn question(&self, number: u64) -> Option<&Question> {
        self.questions.iter().find(|q| q.number == number)
    }
}

/// Why an input was not read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The text is malformed or outside the fragment: where and why, at least one error.
    Input(Vec<Diagnostic>),
    /// There is no property of this number or name.
    NoSuchProperty {
        /// What was asked for.
        asked: String,
        /// The numbers and names there are.
        known: Vec<String>,
    },
}

/// What a worker found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The answer, with what shows it.
    pub outcome: Outcome,
    /// Who checked it.
    pub checks: Vec<CheckReport>,
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
        /// The text that was replayed: a counterexample as an S-expression.
        certificate: String,
        /// The numbers of the questions it answers.
        #[serde(default)]
        violated: Vec<u64>,
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
    pub fn verdict(&self) -> VerdictKind {
        match self {
            Outcome::Safe { .. } => VerdictKind::Safe,
            Outcome::Unsafe { .. } => VerdictKind::Unsafe,
            Outcome::Unknown { .. } => VerdictKind::Unknown,
        }
    }

    /// What a witness from elsewhere claims; `None` of an honest `unknown`.
    pub(crate) fn claim(self) -> Option<Claim> {
        let verdict = self.verdict();
        let (witness, model) = match self {
            Outcome::Safe { certificate, model } => (certificate, model.map(|m| m.text)),
            Outcome::Unsafe { certificate, .. } => (certificate, None),
            Outcome::Unknown { .. } => return None,
        };
        Some(Claim {
            verdict,
            witness,
            model,
        })
    }

    /// The text that can be validated.
    pub fn certificate(&self) -> Option<&str> {
        match self {
            Outcome::Safe { certificate, .. } | Outcome::Unsafe { certificate, .. } => {
                Some(certificate)
            }
            Outcome::Unknown { .. } => None,
        }
    }

    /// The counterexample as data; `None` too when it is nested too deeply to be shown.
    pub fn counterexample(&self) -> Option<Counterexample> {
        match self {
            Outcome::Unsafe { certificate, .. } => cex::read(certificate).ok(),
            Outcome::Safe { .. } | Outcome::Unknown { .. } => None,
        }
    }

    /// The auxiliary variables of a certificate of safety: kind, name and sort of each.
    pub fn auxiliaries(&self) -> Vec<String> {
        let Outcome::Safe { certificate, .. } = self else {
            return Vec::new();
        };
        let Ok(doc) = Document::read(certificate) else {
            return Vec::new();
        };
        let parts = doc
            .roots()
            .iter()
            .filter_map(|&root| doc.list(root))
            .flatten();
        let variable = |&part: &Id| match (doc.head(part), doc.list(part)?) {
            (Some(kind @ ("prophecy" | "history")), [_, name, sort, ..]) => {
                Some(format!("{kind} {} {}", doc.show(*name), doc.show(*sort)))
            }
            _ => None,
        };
        parts.filter_map(variable).collect()
    }
}

/// A model of the predicates.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// One `define-fun` per predicate.
    pub text: String,
    /// Whether this very text was checked, or only the certificate it was made from.
    pub checked: bool,
    /// The same for people: the predicates with their parameters, below each its conjuncts in infix
    /// notation. Empty when the model was not made for reading.
    #[serde(default)]
    pub infix: Vec<String>,
}

/// A witness that failed its check: a verdict that must not be given, kept for the report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RejectedWitness {
    /// What the engine claimed.
    pub claimed: VerdictKind,
    /// The witness.
    pub witness: String,
    /// What the checker said.
    pub report: CheckReport,
}
