//! A solver whose assertions hang on labels, with a reset policy.
//!
//! Incremental engines assert a formula under a label once and select labels per query. After so
//! many queries the solver is rebuilt from the formulas that are still wanted, which drops stale
//! clauses and heuristics.

use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig};
use foretell_terms::{Sort, Term, TermStore};

/// A solver with labelled assertions.
///
/// Invariant: `solver` holds exactly `permanent` and `label ⇒ formula` for each pair in `labelled`.
pub struct Labelled {
    solver: Box<dyn Solver>,
    permanent: Vec<Term>,
    labelled: Vec<(Term, Term)>,
    queries: u32,
    /// Queries between resets; 0 is never.
    reset_every: u32,
}

impl Labelled {
    /// A solver that is rebuilt every `reset_every` queries (0: never).
    pub fn new(config: &SolverConfig, reset_every: u32, cx: &Cx<'_>) -> Labelled {
        let solver = cx.oracles.solver(config);
        Labelled {
            solver,
            permanent: Vec::new(),
            labelled: Vec::new(),
            queries: 0,
            reset_every,
        }
    }

    /// A new label.
    pub fn label(&self, terms: &TermStore, name: &str) -> Term {
        terms.fresh(name, Sort::BOOL)
    }

    /// Asserts a formula for good.
    pub fn assert(&mut self, formula: Term, cx: &Cx<'_>) -> Result<(), Halt> {
        self.permanent.push(formula);
        self.solver.assert(cx.terms, formula)
    }

    /// Asserts a formula that holds in queries that assume the label.
    pub fn assert_under(&mut self, label: Term, formula: Term, cx: &Cx<'_>) -> Result<(), Halt> {
        self.labelled.push((label, formula));
        self.solver
            .assert(cx.terms, cx.terms.implies(label, formula))
    }

    /// Forgets everything under a label at the next reset.
    pub fn retire(&mut self, label: Term) {
        self.labelled.retain(|(l, _)| *l != label);
    }

    /// From the next reset on, exactly these formulas hang on the label. What was asserted under it
    /// stays until then, so the caller replaces formulas by equivalent or weaker ones only.
    pub fn replace(&mut self, label: Term, formulas: impl IntoIterator<Item = Term>) {
        self.retire(label);
        self.labelled
            .extend(formulas.into_iter().map(|formula| (label, formula)));
    }

    /// The number of queries asked by [`Labelled::check`].
    pub fn queries(&self) -> u32 {
        self.queries
    }

    /// Asks a query under assumptions.
    pub fn check<'s>(&'s mut self, assumptions: &[Term], cx: &Cx<'_>) -> Result<Answer<'s>, Halt> {
        self.queries = self.queries.wrapping_add(1);
        if self.reset_every > 0 && self.queries.is_multiple_of(self.reset_every) {
            self.reset(cx)?;
        }
        self.solver.check(assumptions, cx)
    }

    /// Opens a level for temporary assertions.
    pub fn push(&mut self) {
        self.solver.push();
    }

    /// Asserts a formula until the next [`Labelled::pop`].
    pub fn assert_temporarily(&mut self, formula: Term, cx: &Cx<'_>) -> Result<(), Halt> {
        self.solver.assert(cx.terms, formula)
    }

    /// Closes the level.
    pub fn pop(&mut self) {
        self.solver.pop();
    }

    /// Asks without counting towards a reset; for use between push and pop.
    pub fn check_within<'s>(
        &'s mut self,
        assumptions: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Answer<'s>, Halt> {
        self.solver.check(assumptions, cx)
    }

    /// Rebuilds the solver from what is still wanted; temporary assertions are gone.
    pub fn reset(&mut self, cx: &Cx<'_>) -> Result<(), Halt> {
        self.solver.reset();
        for &formula in &self.permanent {
            self.solver.assert(cx.terms, formula)?;
        }
        for &(label, formula) in &self.labelled {
            self.solver
                .assert(cx.terms, cx.terms.implies(label, formula))?;
        }
        Ok(())
    }
}
