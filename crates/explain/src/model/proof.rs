//! The data of a report about why a property holds.

use serde::{Deserialize, Serialize};

/// Why a property holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Proof {
    /// The text that was checked.
    pub certificate: String,
    /// Another text that was checked, which says it without auxiliary variables.
    pub model: Option<String>,
    /// What it says, predicate by predicate.
    pub parts: Vec<Part>,
    /// What the certificate says with auxiliary variables, where the model above says it without.
    pub inner: Vec<Part>,
    /// Variables that the proof adds.
    pub auxiliaries: Vec<Auxiliary>,
    /// Which obligation needs which conjuncts of `parts`, where that was found out.
    pub needs: Option<Needs>,
    /// What the engine did to the problem, in its words.
    pub story: Vec<String>,
}

/// Which obligation needs which conjuncts, by unsat cores that a solver gave after the answer: shown, and
/// not a part of the proof.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Needs {
    /// The solver.
    pub by: String,
    /// Obligation by obligation.
    pub list: Vec<Need>,
}

/// What an obligation needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Need {
    /// The obligation, in words.
    pub what: String,
    /// The line of its clause.
    pub line: Option<u32>,
    /// Whether there was an answer in time.
    pub known: bool,
    /// The conjuncts it needs.
    pub conjuncts: Vec<PlaceOf>,
}

/// A conjunct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaceOf {
    /// Which part of the proof, from 0.
    pub part: usize,
    /// Which of its conjuncts, from 0.
    pub conjunct: usize,
}

/// What a proof says about a predicate, the state of a system, or a loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// What it is about.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// Its conjuncts, for people.
    pub conjuncts: Vec<String>,
    /// The text that was checked: a part of the certificate, or of the model.
    pub text: String,
}

/// A parameter of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: String,
}

/// A variable that a proof adds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Auxiliary {
    /// `prophecy` or `history`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: String,
    /// What it stands for, in words.
    pub words: Vec<String>,
    /// The text that was checked.
    pub text: String,
}
