//! The problem as the user wrote it, read once by the reader of this crate.
//!
//! Every check is about two readings of one text: that of this crate, on which proofs are checked, and
//! that of the front end, in whose terms engines speak. A text that cannot be read here leaves every
//! question about it undecided.

use std::collections::BTreeSet;

use foretell_systems::{ChcSystem, Pred, Property, TransitionSystem};
use foretell_terms::TermStore;

use crate::report::Refusal;
use crate::text::clauses::ChcText;
use crate::text::round::head;
use crate::text::sexpr::TextError;
use crate::text::vmt::VmtText;

/// One goal among several, or none: the others are left out, rules stay. Commands are numbered in the order of the
/// text, `assert`, `rule` and `query` alike, from 0; the line is there to be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenGoal {
    /// The command of the goal, and its line.
    pub kept: Option<(u32, u32)>,
    /// The commands of the other goals, and their lines.
    pub dropped: Vec<(u32, u32)>,
}

/// A clause system as text, read before there is a question about it.
pub struct ReadText<'t>(Result<ChcText<'t>, TextError>);

impl<'t> ReadText<'t> {
    /// Reads a text.
    pub fn read(text: &'t str) -> ReadText<'t> {
        ReadText(ChcText::read(text))
    }

    /// What scripts about this text begin with, with Z3, if it can be read.
    pub fn script_head(&self) -> Option<String> {
        head(&self.0.as_ref().ok()?.sort_text())
    }
}

/// A clause system: its text, and what the front end made of it.
pub struct OriginalClauses<'t> {
    text: Result<ChcText<'t>, TextError>,
    pub(crate) system: &'t ChcSystem,
    /// Definitions of declared functions that every model begins with.
    functions: String,
}

impl<'t> OriginalClauses<'t> {
    /// Reads a text; the system must have been read from it too.
    pub fn new(text: &'t str, system: &'t ChcSystem) -> OriginalClauses<'t> {
        OriginalClauses::of(ReadText::read(text), system)
    }

    /// The same with a text that was read before.
    pub fn of(text: ReadText<'t>, system: &'t ChcSystem) -> OriginalClauses<'t> {
        OriginalClauses {
            text: text.0,
            system,
            functions: String::new(),
        }
    }

    /// The same with definitions of declared functions, one `define-fun` each, which a model then
    /// begins with; the system speaks of what they say and not of the functions.
    pub fn with_functions(self, functions: &str) -> OriginalClauses<'t> {
        let functions = functions.to_owned();
        OriginalClauses { functions, ..self }
    }

    /// What every model begins with.
    pub fn functions(&self) -> &str {
        &self.functions
    }

    /// The same with one goal only, which must be all that the system has. A command that is dropped must be
    /// a goal by the reading of this crate too.
    pub fn about(mut self, goal: Option<&ChosenGoal>) -> OriginalClauses<'t> {
        if let Some(goal) = goal {
            self.text = self.text.and_then(|text| text.about(goal));
        }
        self
    }

    /// The symbols that the text declares or defines: no parameter should be called like one.
    pub fn declared(&self) -> BTreeSet<String> {
        let declared = self.text.as_ref().map(ChcText::declared);
        let names = declared.unwrap_or_default().into_iter();
        names.map(str::to_owned).collect()
    }

    /// Whether a predicate of the system is one of the text. A front end may add others (for choices in
    /// bodies), which no witness speaks of.
    pub fn declares(&self, pred: Pred, terms: &TermStore) -> bool {
        let name = self.system.name(terms, pred);
        let text = self.text.as_ref();
        text.is_ok_and(|text| text.predicate(name).is_some())
    }

    /// What the front end made of the text.
    pub fn system(&self) -> &'t ChcSystem {
        self.system
    }

    /// The text.
    pub(crate) fn text(&self) -> Result<&ChcText<'t>, Refusal> {
        self.text
            .as_ref()
            .map_err(|error| Refusal::Problem(error.clone()))
    }
}

/// A property of a transition system: the text, and what the front end made of it.
pub struct OriginalSystem<'t> {
    text: Result<VmtText<'t>, TextError>,
    pub(crate) system: &'t TransitionSystem,
    /// The property in question.
    pub(crate) property: Property,
}

impl<'t> OriginalSystem<'t> {
    /// Reads a text; the system must have been read from it too, with this property.
    pub fn new(
        text: &'t str,
        system: &'t TransitionSystem,
        property: Property,
    ) -> OriginalSystem<'t> {
        OriginalSystem {
            text: VmtText::read(text),
            system,
            property,
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> Result<&VmtText<'t>, Refusal> {
        self.text
            .as_ref()
            .map_err(|error| Refusal::Problem(error.clone()))
    }
}
