//! Which commands are goals.

use foretell_smtlib::Outcome;
use foretell_terms::Term;

use super::{Clauses, Origin};
use crate::properties::Goal;

impl Clauses<'_> {
    /// Adds the clauses of a query, which is a goal whatever becomes of them.
    pub(crate) fn query(
        &mut self,
        formula: Term,
        origin: Origin,
        name: Option<String>,
    ) -> Outcome<()> {
        let command = self.n_commands;
        self.assert(formula, origin, name.clone())?;
        if self.goals.last().is_none_or(|goal| goal.command != command) {
            self.goals.push(Goal {
                command,
                line: origin.line,
                name,
                clauses: Vec::new(),
            });
        }
        Ok(())
    }

    /// Adds the clauses of an asserted formula; the name is that of the goal, if it is one. What
    /// speaks of declared functions alone is an axiom and no goal.
    pub(crate) fn assert(
        &mut self,
        formula: Term,
        origin: Origin,
        name: Option<String>,
    ) -> Outcome<()> {
        let first = self.system.clauses.len();
        let command = self.n_commands;
        self.n_commands += 1;
        self.add(formula, origin)?;
        let new = self.system.clauses.iter().enumerate().skip(first);
        let clauses: Vec<usize> = new
            .filter(|(_, c)| c.head.is_none() && !c.is_axiom(self.terms))
            .map(|(i, _)| i)
            .collect();
        if !clauses.is_empty() {
            self.goals.push(Goal {
                command,
                line: origin.line,
                name,
                clauses,
            });
        }
        Ok(())
    }
}
