//! A report as data: what JSON says and the page shows. `docs/formats/report.md` describes it.
//!
//! Everything here is text and numbers, so that a page can be made from it later and elsewhere. Nothing
//! is trusted: what was checked is the certificate, and every text that is called checked is a part of it,
//! byte for byte.

mod proof;
mod time;

use serde::{Deserialize, Serialize};

pub use proof::{Auxiliary, Need, Needs, Parameter, Part, PlaceOf, Proof};
pub use time::{Deed, DeedKind, Returning, Run, Sample, Told};

/// The name and version of the schema.
pub const SCHEMA: &str = "foretell-report-1";

/// A report about one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// Who ran.
    pub tool: Tool,
    /// What it ran on.
    pub input: Input,
    /// What was decided about the whole.
    pub verdict: Verdict,
    /// The same in the words of the format.
    pub answer: String,
    /// The time it took.
    pub seconds: f64,
    /// The properties in the order in which they were settled.
    pub questions: Vec<Question>,
    /// Why the input was not read.
    pub refusal: Option<Refused>,
    /// The runs of engines in the order of their start.
    pub runs: Vec<Run>,
    /// Configurations that never got a turn.
    pub waiting: Vec<String>,
    /// Formulas that engines told each other; nobody has proved them.
    pub told: Vec<Told>,
    /// What was proved although there is no answer.
    pub learned: Option<LearnedFacts>,
    /// The proof obligation that came back most often, when there is no answer.
    pub returning: Option<Returning>,
    /// The clauses as a graph.
    pub graph: Option<Graph>,
    /// What to try next.
    pub hints: Vec<Hint>,
    /// What was left out of this report, in words.
    pub cuts: Vec<String>,
}

/// Who ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tool {
    /// The version.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// The command line.
    pub command: Vec<String>,
    /// The seed of all randomness.
    pub seed: u64,
}

/// What was run on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Input {
    /// The path as it was given.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its hash.
    pub sha256: String,
    /// Its format, if that became known.
    pub format: Option<String>,
    /// What deserves attention although it was read.
    pub warnings: Vec<Finding>,
}

/// Something about the input, and where.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// The code.
    pub code: String,
    /// What it is.
    pub message: String,
    /// Further lines.
    pub notes: Vec<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The line itself.
    pub source: String,
}

/// What was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No bad state can be reached.
    Safe,
    /// A bad state can be reached.
    Unsafe,
    /// Neither is known.
    #[default]
    Unknown,
    /// The input was not read.
    Refused,
}

/// Why an input was not read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Refused {
    /// In one sentence.
    pub message: String,
    /// What is wrong, and where.
    pub findings: Vec<Finding>,
}

/// The final word on one property.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Question {
    /// Its number, when properties are checked one by one.
    pub number: Option<u64>,
    /// What it is called.
    pub name: String,
    /// The line it is in.
    pub line: Option<u32>,
    /// What was decided.
    pub verdict: Verdict,
    /// Why nothing is known.
    pub reason: Option<String>,
    /// The configuration that found the answer.
    pub by: Option<String>,
    /// Who checked the answer.
    pub checks: Vec<Checked>,
    /// Why it is safe.
    pub proof: Option<Proof>,
    /// Why it is not.
    pub trace: Option<Trace>,
}

/// One check of an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checked {
    /// Who checked.
    pub by: String,
    /// The time it took.
    pub seconds: f64,
    /// What had to hold.
    pub obligations: Vec<Obligation>,
}

/// Something that must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Obligation {
    /// What, in words.
    pub what: String,
    /// Whether it does, in words.
    pub status: String,
}

/// How a bad state is reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trace {
    /// What the steps are.
    pub kind: TraceKind,
    /// In one sentence.
    pub cause: String,
    /// Values that are the same in all steps.
    pub constants: Vec<Row>,
    /// The steps.
    pub steps: Vec<Step>,
    /// How many there are; more than are listed when the list was cut.
    pub n_steps: usize,
    /// Of a program: the source around the path.
    pub listing: Vec<SourceLine>,
    /// The formula that decides, with the values of its parts.
    pub failing: Option<Node>,
    /// How many of the values that were chosen matter.
    pub choices: Option<Choices>,
    /// The text that was replayed.
    pub certificate: String,
}

/// What the steps of a trace are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceKind {
    /// States of a transition system.
    #[default]
    Run,
    /// Uses of clauses.
    Derivation,
    /// Lines of a program.
    Program,
}

/// A line of a program, and what happened there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceLine {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// How often the path comes by.
    pub visits: usize,
    /// The values there; of many, the first and the last ones.
    pub values: Vec<String>,
}

/// How many values matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Those that do.
    pub matter: usize,
    /// All that were chosen; the others follow from them.
    pub all: usize,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// Its number, from 0.
    pub number: usize,
    /// What happens.
    pub title: String,
    /// The line of the clause or statement.
    pub line: Option<u32>,
    /// The text of that line.
    pub source: Option<String>,
    /// The steps it uses.
    pub premises: Vec<usize>,
    /// The values after it.
    pub values: Vec<Row>,
}

/// The value of a variable in a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
    /// The variable.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// Its value.
    pub value: String,
    /// How it stands to the step before.
    pub change: Change,
    /// Whether it matters.
    pub weight: Weight,
    /// The cells of an array; the last one is all others.
    pub cells: Vec<Cell>,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A part of the state, or an argument of a predicate.
    #[default]
    State,
    /// Chosen in this step.
    Input,
}

/// How a value stands to the one in the step before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// There is none before.
    #[default]
    First,
    /// It is the same.
    Same,
    /// It is another.
    Changed,
}

/// Whether a value matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// It was chosen, and with another one the trace might not be one; or nobody has asked.
    #[default]
    Chosen,
    /// It follows from others.
    Follows,
    /// Any other would do.
    Any,
}

/// A cell of an array.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cell {
    /// The index; `else` for all others.
    pub at: String,
    /// The value.
    pub value: String,
    /// How it stands to the step before.
    pub change: Change,
    /// Whether it matters.
    pub weight: Weight,
    /// Whether the step after this one reads it.
    pub read: bool,
}

/// A part of a formula with its value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Node {
    /// The part.
    pub text: String,
    /// Its value; empty when it has none.
    pub value: String,
    /// Its parts.
    pub parts: Vec<Node>,
}

/// What was proved although there is no answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LearnedFacts {
    /// Definitions that were checked on the original text.
    pub definitions: String,
    /// What they say.
    pub parts: Vec<Part>,
    /// How many formulas were not proved.
    pub candidates: usize,
}

/// Clauses as a graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Graph {
    /// The predicates.
    pub nodes: Vec<String>,
    /// The clauses.
    pub edges: Vec<Edge>,
}

/// A clause in the graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edge {
    /// The predicates of its body, by their place; none for a fact.
    pub from: Vec<usize>,
    /// The predicate of its head; none for a query.
    pub to: Option<usize>,
    /// Its line.
    pub line: u32,
}

/// Advice, and what supports it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hint {
    /// What to try.
    pub advice: String,
    /// What was seen that supports it.
    pub seen: String,
}
