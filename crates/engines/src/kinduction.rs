//! k-induction.
//!
//! Paper: Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver",
//! FMCAD 2000.
//!
//! ```text
//! check(I, T, P)                                           // fn check
//!   for k = 1, 2, …
//!     I@0 ∧ T@0 ∧ … ∧ T@(k-2) ∧ ¬P@(k-1) satisfiable?      // fn base
//!       return Unsafe
//!     P@0 ∧ T@0 ∧ P@1 ∧ … ∧ T@(k-1) ∧ ¬P@k unsatisfiable?  // fn step
//!       return Safe(P is k-inductive)
//! ```
//!
//! Departures: the simple-path constraint is left out, because a proof that uses it has no
//! k-inductive certificate. Parameters are rigid in both queries. Limits: finds only properties that
//! are k-inductive themselves.

use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Peers, Reason, Solver, Unsupported, Verdict,
};
use foretell_systems::{Invariant, Trace, TransitionSystem, Unroller, solver_config};

foretell_kernel::options! {
    /// Options of k-induction.
    pub struct KInductionOptions("kinduction") {
        /// The largest k to try.
        max_k: u32 = 10000, 0..=1_000_000;
    }
}

/// k-induction on transition systems.
#[derive(Default)]
pub struct KInduction {
    options: KInductionOptions,
}

impl KInduction {
    /// The engine with these options.
    pub fn new(options: KInductionOptions) -> KInduction {
        KInduction { options }
    }
}

impl Engine<TransitionSystem> for KInduction {
    fn name(&self) -> &'static str {
        "kinduction"
    }

    fn accepts(&self, _system: &TransitionSystem, _cx: &Cx<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn check(
        &mut self,
        system: &TransitionSystem,
        _peers: &dyn Peers<TransitionSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<TransitionSystem>, Halt> {
        let mut base = Query::new(system, "base", cx);
        let mut step = Query::new(system, "step", cx);
        base.solver
            .assert(cx.terms, base.unroller.at(cx.terms, system.init, 0))?;
        let mut base_complete = true;
        for k in 1..=self.options.max_k {
            match base.violation(system, k - 1, cx)? {
                Outcome::Reachable(trace) => return Ok(Verdict::Unsafe(trace)),
                Outcome::Unreachable => cx.events.emit(Event::Bound(k - 1)),
                // Without this base case no k from here on is a proof, but a bug may still show up.
                Outcome::Undecided(words) if !base_complete => {
                    return Ok(Verdict::Unknown(Reason::SolverUnknown(words)));
                }
                Outcome::Undecided(_) => base_complete = false,
            }
            base.extend(system, k - 1, cx)?;
            step.extend(system, k - 1, cx)?;
            if base_complete && matches!(step.violation(system, k, cx)?, Outcome::Unreachable) {
                let proof = Invariant {
                    formula: system.property,
                    k,
                    auxiliaries: Vec::new(),
                };
                return Ok(Verdict::Safe(proof));
            }
        }
        Ok(Verdict::Unknown(Reason::BoundReached(self.options.max_k)))
    }
}

/// A growing unrolling with its solver.
struct Query {
    unroller: Unroller,
    solver: Box<dyn Solver>,
}

enum Outcome {
    Reachable(Trace),
    Unreachable,
    Undecided(String),
}

impl Query {
    fn new(system: &TransitionSystem, purpose: &'static str, cx: &Cx<'_>) -> Query {
        Query {
            unroller: Unroller::new(system),
            solver: cx.oracles.solver(&solver_config(purpose, system, cx)),
        }
    }

    /// Adds `P@k ∧ T@k`.
    fn extend(&mut self, system: &TransitionSystem, k: u32, cx: &Cx<'_>) -> Result<(), Halt> {
        self.solver
            .assert(cx.terms, self.unroller.at(cx.terms, system.property, k))?;
        self.solver
            .assert(cx.terms, self.unroller.at(cx.terms, system.trans, k))
    }

    /// Is `¬P@k` consistent with what was asserted?
    fn violation(
        &mut self,
        system: &TransitionSystem,
        k: u32,
        cx: &Cx<'_>,
    ) -> Result<Outcome, Halt> {
        let bad = cx.terms.not(self.unroller.at(cx.terms, system.property, k));
        match self.solver.check(&[bad], cx)? {
            Answer::Sat(model) => Ok(Outcome::Reachable(self.unroller.trace(
                cx.terms,
                system,
                model.as_ref(),
                k,
            )?)),
            Answer::Unsat(_) => Ok(Outcome::Unreachable),
            Answer::Unknown(words) => Ok(Outcome::Undecided(words)),
        }
    }
}
