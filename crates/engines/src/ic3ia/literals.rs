//! A labelled solver whose assumptions are arbitrary literals.
//!
//! A literal ℓ is assumed through a label `a ⇒ ℓ`, one direction only and made at first use: a
//! predicate that no query assumes costs the solver nothing. Temporary clauses hang on labels of
//! their own and vanish with the next reset.

use foretell_kernel::{Answer, Cx, Halt, SolverConfig};
use foretell_systems::Labelled;
use foretell_terms::{Op, Sort, Term, TermMap};

use super::cube::Cube;

/// A solver for questions `asserted ∧ labels ∧ literals`.
pub(super) struct LiteralSolver {
    labelled: Labelled,
    /// Literal to label; the solver holds `label ⇒ literal`.
    labels: TermMap<Term>,
    /// Clause to label, forgotten by a reset.
    temporary: TermMap<Term>,
    reset_every: u32,
    asked: u32,
}

/// What a question came to.
pub(super) enum Reply<T> {
    /// Satisfiable, with what was read off the model.
    Sat(T),
    /// Unsatisfiable with these of the assumed literals.
    Unsat(Cube),
    /// Undecided.
    Unknown(String),
}

impl LiteralSolver {
    /// A solver without assertions.
    pub(super) fn new(config: &SolverConfig, reset_every: u32, cx: &Cx<'_>) -> LiteralSolver {
        LiteralSolver {
            labelled: Labelled::new(config, 0, cx),
            labels: TermMap::default(),
            temporary: TermMap::default(),
            reset_every,
            asked: 0,
        }
    }

    /// Asserts a formula for good.
    pub(super) fn assert(&mut self, formula: Term, cx: &Cx<'_>) -> Result<(), Halt> {
        self.labelled.assert(formula, cx)
    }

    /// A new label.
    pub(super) fn label(&self, name: &str, cx: &Cx<'_>) -> Term {
        self.labelled.label(cx.terms, name)
    }

    /// Asserts a formula under a label.
    pub(super) fn assert_under(
        &mut self,
        label: Term,
        formula: Term,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        self.labelled.assert_under(label, formula, cx)
    }

    /// Whether it is time for [`LiteralSolver::reset`].
    pub(super) fn is_stale(&self) -> bool {
        self.reset_every > 0 && self.asked >= self.reset_every
    }

    /// Rebuilds the solver; each given label then carries exactly the given formulas.
    pub(super) fn reset(
        &mut self,
        replaced: Vec<(Term, Vec<Term>)>,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        for (label, formulas) in replaced {
            self.labelled.replace(label, formulas);
        }
        self.temporary.clear();
        self.asked = 0;
        self.labelled.reset(cx)
    }

    /// A label for a clause that is wanted for a few queries only.
    pub(super) fn temporarily(&mut self, clause: Term, cx: &Cx<'_>) -> Result<Term, Halt> {
        if let Some(&label) = self.temporary.get(&clause) {
            return Ok(label);
        }
        let label = self.label("temporary", cx);
        self.labelled
            .assert_temporarily(cx.terms.implies(label, clause), cx)?;
        self.temporary.insert(clause, label);
        Ok(label)
    }

    /// Is everything asserted, under these labels, satisfiable with these literals? `read` looks at
    /// the model.
    pub(super) fn ask<T>(
        &mut self,
        labels: &[Term],
        lits: &[Term],
        read: impl FnOnce(&dyn foretell_kernel::Model) -> T,
        cx: &Cx<'_>,
    ) -> Result<Reply<T>, Halt> {
        self.asked = self.asked.saturating_add(1);
        let mut assumptions = labels.to_vec();
        let mut meaning: TermMap<Term> = TermMap::default();
        for &lit in lits {
            let label = self.literal_label(lit, cx)?;
            assumptions.push(label);
            meaning.insert(label, lit);
        }
        Ok(match self.labelled.check(&assumptions, cx)? {
            Answer::Sat(model) => Reply::Sat(read(model.as_ref())),
            Answer::Unsat(core) => Reply::Unsat(Cube::new(
                core.iter()
                    .filter_map(|l| meaning.get(l).copied())
                    .collect(),
            )),
            Answer::Unknown(words) => Reply::Unknown(words),
        })
    }

    fn literal_label(&mut self, lit: Term, cx: &Cx<'_>) -> Result<Term, Halt> {
        let (atom, _) = cx.terms.strip_not(lit);
        let is_variable = matches!(cx.terms.op(atom), Op::App(_)) && cx.terms.args(atom).is_empty();
        if is_variable && cx.terms.sort(atom) == Sort::BOOL {
            return Ok(lit);
        }
        if let Some(&label) = self.labels.get(&lit) {
            return Ok(label);
        }
        let label = self.label("literal", cx);
        self.labelled.assert(cx.terms.implies(label, lit), cx)?;
        self.labels.insert(lit, label);
        Ok(label)
    }
}
