//! A solver whose assertions hang on labels and whose assumptions are arbitrary literals.
//!
//! A formula is asserted under a label once, and labels are selected per query. A literal ℓ is assumed through a label `a ⇒ ℓ`, one direction only and made at first use: a
//! predicate that no query assumes costs the solver nothing. Temporary clauses hang on labels of
//! their own and vanish with the next reset, which rebuilds the solver from the formulas that are still
//! wanted and so drops stale clauses and heuristics.

use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig};
use foretell_terms::{Op, Sort, Term, TermMap};

use super::cube::Cube;

/// A solver for questions `asserted ∧ labels ∧ literals`.
///
/// Invariant: `solver` holds exactly `permanent`, `label ⇒ formula` for each pair in `labelled`, and the
/// temporary clauses.
pub(crate) struct LiteralSolver {
    solver: Box<dyn Solver>,
    permanent: Vec<Term>,
    labelled: Vec<(Term, Term)>,
    /// Literal to label; the solver holds `label ⇒ literal`.
    labels: TermMap<Term>,
    /// Clause to label, forgotten by a reset.
    temporary: TermMap<Term>,
    reset_every: u32,
    asked: u32,
}

/// What a question came to.
pub(crate) enum Reply<T> {
    /// Satisfiable, with what was read off the model.
    Sat(T),
    /// Unsatisfiable with these of the assumed literals.
    Unsat(Cube),
    /// Undecided.
    Unknown(String),
}

impl<T> Reply<T> {
    /// The same with something else read off the model.
    pub(crate) fn map<U>(self, read: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Reply::Sat(found) => Reply::Sat(read(found)),
            Reply::Unsat(core) => Reply::Unsat(core),
            Reply::Unknown(words) => Reply::Unknown(words),
        }
    }
}

impl LiteralSolver {
    /// A solver without assertions.
    pub(crate) fn new(config: &SolverConfig, reset_every: u32, cx: &Cx<'_>) -> LiteralSolver {
        LiteralSolver {
            solver: cx.oracles.solver(config),
            permanent: Vec::new(),
            labelled: Vec::new(),
            labels: TermMap::default(),
            temporary: TermMap::default(),
            reset_every,
            asked: 0,
        }
    }

    /// Asserts a formula for good.
    pub(crate) fn assert(&mut self, formula: Term, cx: &Cx<'_>) -> Result<(), Halt> {
        self.permanent.push(formula);
        self.solver.assert(cx.terms, formula)
    }

    /// A new label.
    pub(crate) fn label(&self, name: &str, cx: &Cx<'_>) -> Term {
        cx.terms.fresh(name, Sort::BOOL)
    }

    /// Asserts a formula under a label.
    pub(crate) fn assert_under(
        &mut self,
        label: Term,
        formula: Term,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        self.labelled.push((label, formula));
        self.solver
            .assert(cx.terms, cx.terms.implies(label, formula))
    }

    /// Whether it is time for [`LiteralSolver::reset`].
    pub(crate) fn is_stale(&self) -> bool {
        self.reset_every > 0 && self.asked >= self.reset_every
    }

    /// Rebuilds the solver; each given label then carries exactly the given formulas, which must not be
    /// stronger than those it carried.
    pub(crate) fn reset(
        &mut self,
        replaced: Vec<(Term, Vec<Term>)>,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        for (label, formulas) in replaced {
            self.labelled.retain(|(l, _)| *l != label);
            self.labelled
                .extend(formulas.into_iter().map(|f| (label, f)));
        }
        self.temporary.clear();
        self.asked = 0;
        self.solver.reset();
        for &formula in &self.permanent {
            self.solver.assert(cx.terms, formula)?;
        }
        for &(label, formula) in &self.labelled {
            let labelled = cx.terms.implies(label, formula);
            self.solver.assert(cx.terms, labelled)?;
        }
        Ok(())
    }

    /// A label for a clause that is wanted for a few queries only.
    pub(crate) fn temporarily(&mut self, clause: Term, cx: &Cx<'_>) -> Result<Term, Halt> {
        if let Some(&label) = self.temporary.get(&clause) {
            return Ok(label);
        }
        let label = self.label("temporary", cx);
        self.solver
            .assert(cx.terms, cx.terms.implies(label, clause))?;
        self.temporary.insert(clause, label);
        Ok(label)
    }

    /// Is everything asserted, under these labels, satisfiable with these literals? `read` looks at
    /// the model.
    pub(crate) fn ask<T>(
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
        Ok(match self.solver.check(&assumptions, cx)? {
            Answer::Sat(model) => Reply::Sat(read(model.as_ref())),
            Answer::Unsat(core) => Reply::Unsat(Cube::new(
                core.iter()
                    .filter_map(|l| meaning.get(l).copied())
                    .collect(),
            )),
            Answer::Unknown(words) => Reply::Unknown(words),
        })
    }

    /// `cube ∧ ¬formula`; unsatisfiable with a subset of the cube that implies the formula.
    pub(crate) fn implies(
        &mut self,
        cube: &Cube,
        formula: Term,
        cx: &Cx<'_>,
    ) -> Result<Reply<()>, Halt> {
        let negation = self.temporarily(cx.terms.not(formula), cx)?;
        self.ask(&[negation], cube.lits(), |_| (), cx)
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
        self.assert(cx.terms.implies(label, lit), cx)?;
        self.labels.insert(lit, label);
        Ok(label)
    }
}
