//! What engines did, and when.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One run of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// The configuration.
    pub name: String,
    /// The property, when properties are checked one by one.
    pub property: Option<u64>,
    /// When it began, in seconds from the start.
    pub start: f64,
    /// How long it took.
    pub seconds: f64,
    /// How it ended, in a few words.
    pub end: String,
    /// Whether it found the answer.
    pub answered: bool,
    /// Processor time.
    pub cpu: f64,
    /// The most memory it used, in bytes.
    pub memory: u64,
    /// How far it got, in words.
    pub reach: String,
    /// No counterexample of this length or shorter exists.
    pub bound: Option<u32>,
    /// The highest frame.
    pub frame: Option<u32>,
    /// Seconds by phase.
    pub phases: BTreeMap<String, f64>,
    /// Counters by name.
    pub counts: BTreeMap<String, u64>,
    /// How far it was, time after time.
    pub samples: Vec<Sample>,
    /// What it did, one by one: lemmas and proof obligations.
    pub events: Vec<Deed>,
}

/// Something that an engine did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Deed {
    /// Seconds from the start of the check.
    pub at: f64,
    /// What it is.
    pub kind: DeedKind,
    /// The level: how many steps from the initial states.
    pub level: u32,
    /// How many literals it has.
    pub literals: usize,
    /// Of an obligation: its number in the run; the same literals have the same one.
    pub number: Option<usize>,
    /// Of an obligation: how often it had come by then.
    pub times: Option<u64>,
    /// SMT-LIB text in the words of the engine, which has changed the problem; not always there.
    pub formula: Option<String>,
}

/// What engines do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeedKind {
    /// A clause was learnt that holds up to its level.
    #[default]
    Lemma,
    /// No state with these literals may be reached at its level.
    Obligation,
}

/// A proof obligation that came back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Returning {
    /// The configuration.
    pub by: String,
    /// How often it came.
    pub times: u64,
    /// The lowest level.
    pub lowest: u32,
    /// The highest level.
    pub highest: u32,
    /// How many literals it has.
    pub literals: usize,
    /// SMT-LIB text in the words of the engine.
    pub formula: Option<String>,
}

/// How far a run was at a time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sample {
    /// Seconds from the start of the check.
    pub at: f64,
    /// The innermost phase.
    pub phase: String,
    /// The bound.
    pub bound: Option<u32>,
    /// The frame.
    pub frame: Option<u32>,
    /// How many lemmas.
    pub lemmas: u64,
    /// How many history and prophecy variables.
    pub auxiliaries: u64,
}

/// A formula that an engine told the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// Seconds from the start.
    pub at: f64,
    /// The configuration.
    pub by: String,
    /// The predicate it is about; empty for the state of a system.
    pub about: String,
    /// For people, where it can be read.
    pub formula: String,
}
