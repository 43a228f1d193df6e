//! Somebody's model, certificate or counterexample, judged on the original text.

use std::path::PathBuf;
use std::time::Duration;

use foretell_driver::commands::validate::{CheckReport, Outcome, Validation, validate};
use foretell_driver::protocol::Tools;
use foretell_driver::{Error, Property};

use crate::host;

/// A witness and the text it is about.
#[derive(Clone, Debug)]
pub struct Witness<'a> {
    text: &'a str,
    witness: &'a str,
    property: Property,
    limit: Option<Duration>,
    program: Option<PathBuf>,
}

/// What is said of a witness, with the words of the checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It proves what it says.
    Accepted,
    /// It does not: why.
    Rejected(String),
    /// Neither is known: why.
    Undecided(String),
}

impl<'a> Witness<'a> {
    /// A witness about all properties of a text.
    pub fn new(text: &'a str, witness: &'a str) -> Witness<'a> {
        Witness {
            text,
            witness,
            property: Property::All,
            limit: None,
            program: None,
        }
    }

    /// The same about one property of a transition system, or goal of clauses.
    pub fn property(self, property: Property) -> Witness<'a> {
        Witness { property, ..self }
    }

    /// The time it may take.
    pub fn timeout(self, limit: Duration) -> Witness<'a> {
        Witness {
            limit: Some(limit),
            ..self
        }
    }

    /// The executable `foretell`, below which the solver is started.
    pub fn program(self, program: impl Into<PathBuf>) -> Witness<'a> {
        Witness {
            program: Some(program.into()),
            ..self
        }
    }

    /// Judges it.
    ///
    /// # Errors
    /// When the solver or the executable is missing, or the text is refused.
    pub fn judge(&self) -> Result<Judgement, Error> {
        let launcher = host::program(self.program.as_deref())?;
        let tools = Tools {
            z3: Some(host::z3(launcher.as_deref())?),
            cvc5: None,
        };
        let reports = validate(&Validation {
            text: self.text,
            witness: self.witness,
            property: self.property,
            tools: &tools,
            launcher: launcher.as_deref(),
            settings: &[],
            limit: self.limit,
        })?;
        Ok(judgement(&reports))
    }
}

/// Rejected if one solver rejects; accepted if all accept.
fn judgement(reports: &[CheckReport]) -> Judgement {
    let mut all = Judgement::Accepted;
    for report in reports {
        match &report.outcome {
            Outcome::Rejected(words) => return Judgement::Rejected(words.clone()),
            Outcome::Undecided(words) => all = Judgement::Undecided(words.clone()),
            Outcome::Accepted => {}
        }
    }
    all
}
