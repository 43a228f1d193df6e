//! Fault injection: a solver that fails at a chosen rate, to show that failures never become
//! verdicts.
//!
//! Unknown answers and errors come back to the caller. A hang or a death concerns the whole
//! process, as with a solver that ignores its limit or crashes; they make sense only below a
//! supervisor.

use std::rc::Rc;

use foretell_kernel::{Answer, Cx, Halt, Rng, Solver};
use foretell_terms::{Term, TermStore};

/// How often which fault happens: once in so many queries, 0 is never.
#[derive(Clone, Debug)]
pub struct FaultPlan {
    /// One query in this many is answered `Unknown`.
    unknown_every: u64,
    /// One query in this many fails with an error.
    error_every: u64,
    /// One query in this many never returns, whatever the budget says.
    hang_every: u64,
    /// One query in this many ends the process by a signal.
    die_every: u64,
    rng: Rc<Rng>,
}

impl FaultPlan {
    /// A plan with rates of what comes back, and a seed.
    pub fn new(unknown_every: u64, error_every: u64, seed: u64) -> FaultPlan {
        let rng = Rc::new(Rng::new(seed));
        FaultPlan {
            unknown_every,
            error_every,
            hang_every: 0,
            die_every: 0,
            rng,
        }
    }

    /// The same plan with these rates of what does not come back.
    pub fn with_ends(self, hang_every: u64, die_every: u64) -> FaultPlan {
        FaultPlan {
            hang_every,
            die_every,
            ..self
        }
    }

    fn strikes(&self, every: u64) -> bool {
        every > 0 && self.rng.below(every) == 0
    }
}

/// A solver that sometimes fails.
pub(crate) struct Faulty<S> {
    inner: S,
    plan: FaultPlan,
}

impl<S: Solver> Faulty<S> {
    /// Wraps a solver.
    pub(crate) fn new(inner: S, plan: FaultPlan) -> Faulty<S> {
        Faulty { inner, plan }
    }
}

impl<S: Solver> Solver for Faulty<S> {
    fn assert(&mut self, terms: &TermStore, formula: Term) -> Result<(), Halt> {
        self.inner.assert(terms, formula)
    }

    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn check<'s>(&'s mut self, assumptions: &[Term], cx: &Cx<'_>) -> Result<Answer<'s>, Halt> {
        if self.plan.strikes(self.plan.die_every) {
            std::process::abort();
        }
        if self.plan.strikes(self.plan.hang_every) {
            loop {
                std::thread::park();
            }
        }
        if self.plan.strikes(self.plan.error_every) {
            return Err(Halt::Solver("injected error".into()));
        }
        if self.plan.strikes(self.plan.unknown_every) {
            return Ok(Answer::Unknown("injected".into()));
        }
        self.inner.check(assumptions, cx)
    }

    fn reset(&mut self) {
        self.inner.reset();
    }
}
