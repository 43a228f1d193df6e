//! Predicates for choices in bodies.
//!
//! Paper: McMillan, "Lazy annotation revisited", CAV 2014, appendix A.2, keeps disjunctive bodies and
//! gives a call a parameter that says whether it is made. Here a choice is a predicate:
//!
//! ```text
//! … ∧ (f ∨ g) ∧ … ⇒ h       becomes       … ∧ case!0(x) ∧ … ⇒ h     f ⇒ case!0(x)     g ⇒ case!0(x)
//! ```
//!
//! where `x` are the variables of `f ∨ g`. So n choices in one body are 2n clauses more, and not 2ⁿ.
//! A model of these clauses is one of the text when the formula of the choice is left out, since the
//! formula follows from the choice; a derivation has a step more for each choice. Only formulas that
//! would become more than [`FEW`] clauses are read in this way: copies are what passes and engines
//! like better. A choice in which a predicate occurs negated is one of heads; such a formula is
//! copied all the same, up to [`MOST_CLAUSES`].

use foretell_smtlib::{Code, Diagnostic, Outcome};
use foretell_systems::Atom;
use foretell_terms::{Term, TermMap};

use super::{Clauses, Finished, Origin, Partial, Scope};
use foretell_formulas::prenex::{Opening, Sign};

/// More clauses than these make choices predicates.
const FEW: usize = 2_000;
/// The clauses that one formula may become.
const MOST_CLAUSES: usize = 20_000;

/// What becomes of a choice in a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choices {
    /// One clause for each alternative, as long as there are few.
    Few,
    /// A predicate of its own.
    Named,
    /// One clause for each alternative.
    Many,
}

/// The choices of one formula.
pub(super) struct Cases {
    choices: Choices,
    /// Those that have a predicate.
    named: TermMap<Atom>,
}

impl Cases {
    pub(super) fn new(choices: Choices) -> Cases {
        let named = TermMap::default();
        Cases { choices, named }
    }

    pub(super) fn are_named(&self) -> bool {
        self.choices == Choices::Named
    }

    /// The clauses that the formula may become.
    pub(super) fn most_clauses(&self) -> usize {
        match self.choices {
            Choices::Few => FEW,
            Choices::Named | Choices::Many => MOST_CLAUSES,
        }
    }
}

/// The beginning of names that no symbol of a text has.
fn unused_stem(text: &str) -> String {
    let stems = (0..).map(|n| format!("case{}", "!".repeat(n + 1)));
    stems
        .take(text.len() + 1)
        .find(|stem| !text.contains(stem.as_str()))
        .unwrap_or_default()
}

impl<'s> Clauses<'s> {
    /// Adds the clauses of a formula.
    pub(super) fn add(&mut self, formula: Term, origin: Origin) -> Outcome<()> {
        if self.terms.is_true(formula) {
            // A clause that is true by itself may have been a goal with an unsatisfiable guard.
            self.n_goals += 1;
        }
        let before = (self.system.clauses.len(), self.system.preds.len());
        for choices in [Choices::Few, Choices::Named, Choices::Many] {
            match self.add_with(choices, formula, origin, before) {
                Ok(Finished::Clause) => return Ok(()),
                Err(error) if choices != Choices::Named => return Err(error),
                Ok(Finished::Conflict | Finished::TooMany) | Err(_) => self.take_back(before),
            }
        }
        let message =
            "this formula becomes too many clauses: disjunctions over predicates multiply";
        Err(Diagnostic::error(Code::Limit, origin.span, message))
    }

    fn add_with(
        &mut self,
        choices: Choices,
        formula: Term,
        origin: Origin,
        before: (usize, usize),
    ) -> Outcome<Finished> {
        // The arguments of a choice are its free variables, so none may be bound in it as well.
        if choices != Choices::Named {
            match self.assert_opening(formula, origin, (choices, Opening::Reuse))? {
                Finished::Conflict => self.take_back(before),
                done @ (Finished::Clause | Finished::TooMany) => return Ok(done),
            }
        }
        self.assert_opening(formula, origin, (choices, Opening::Fresh))
    }

    /// Forgets the clauses and predicates from these numbers on.
    fn take_back(&mut self, (clauses, preds): (usize, usize)) {
        for clause in self.system.clauses.drain(clauses..) {
            clause.vars.iter().for_each(|v| {
                self.owned.swap_remove(v);
            });
        }
        self.system.preds.truncate(preds);
    }

    /// Puts a predicate in place of a choice; the clauses that define it, if it is new.
    pub(super) fn name_choice(
        &mut self,
        partial: &mut Partial,
        choice: Term,
        alternatives: Vec<Vec<(Term, Sign)>>,
        scope: &mut Scope<'s>,
    ) -> Vec<Partial> {
        let known = scope.cases.named.get(&choice).cloned();
        let is_new = known.is_none();
        let atom = known.unwrap_or_else(|| {
            let args = self.terms.free_vars(&[choice]);
            let sorts: Vec<_> = args.iter().map(|&a| self.terms.sort(a)).collect();
            let stem = self.stem.get_or_init(|| unused_stem(self.text));
            let name = format!("{stem}{}", self.system.preds.len());
            let pred = self.system.add_pred(self.terms, &name, &sorts);
            Atom { pred, args }
        });
        scope.cases.named.insert(choice, atom.clone());
        if !partial.body.contains(&atom) {
            partial.body.push(atom.clone());
        }
        if !is_new {
            return Vec::new();
        }
        let clause = |waiting: Vec<(Term, Sign)>| Partial {
            head: Some(atom.clone()),
            waiting: waiting.into_iter().rev().collect(),
            ..Partial::default()
        };
        alternatives.into_iter().map(clause).collect()
    }
}
