//! What a check leaves for the next one: the definitions of a proof, and what its workers told each other.
//!
//! Nobody believes it: it goes to the next check as hints do ([`crate::hints`]), which are proved on the
//! text of that check before they are used. Definitions go by the names of predicates, so that they outlive
//! what is said in between; the rest is about the same clauses, whatever is asked of them.

use crate::check::Report;
use crate::hints;
use crate::protocol::{Outcome, Shared};

/// More formulas are not kept: to prove them again must cost less than to find them.
const MOST: usize = 200;

/// What is remembered.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    definitions: String,
    shared: Vec<Shared>,
}

impl Memory {
    /// What may be of use for a text.
    pub(crate) fn hints(&self, text: &[u8]) -> Vec<Shared> {
        let mut found = match self.definitions.as_str() {
            "" => Vec::new(),
            definitions => hints::fitting(text, definitions.as_bytes()),
        };
        found.extend(self.shared.iter().cloned());
        found
    }

    /// Keeps what a check found out; a proof stays until there is another one.
    pub(crate) fn keep(&mut self, report: &Report) {
        for settled in &report.settled {
            if let Outcome::Safe {
                model: Some(model), ..
            } = &settled.outcome
            {
                self.definitions.clone_from(&model.text);
            }
        }
        let mut n_items = 0;
        let newest = report.shared.iter().rev().take_while(|message| {
            n_items += message.items.len();
            n_items <= MOST
        });
        self.shared.clear();
        for message in newest {
            if !self.shared.contains(message) {
                self.shared.push(message.clone());
            }
        }
    }
}
