//! k-induction.
//!
//! Paper: Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver",
//! FMCAD 2000.
//!
//! ```text
//! check(I, T, P)                                           // fn check
//!   R := the conjuncts of I about parameters
//!   for k = 1, 2, …
//!     I@0 ∧ T@0 ∧ … ∧ T@(k-2) ∧ ¬P@(k-1) satisfiable?      // fn violation
//!       return Unsafe
//!     R ∧ P@0 ∧ T@0 ∧ P@1 ∧ … ∧ T@(k-1) ∧ ¬P@k unsatisfiable?
//!       return Safe(R ∧ P is k-inductive)
//! ```
//!
//! Departures: the simple-path constraint is left out, because a proof that uses it has no
//! k-inductive certificate. Parameters are rigid in both queries, so what the first state says of them, R,
//! holds for ever. P is asked part by part: it is violated when one of them is, and each is far easier
//! to decide than all of them at once (`approximate_agreement`: 126 parts take 2.5 s, and all of them
//! together are not decided in sixty).
//! Limits: finds only properties that are k-inductive themselves.

use foretell_formulas::parts;
use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Peers, Reason, Solver, Unsupported, Verdict,
};
use foretell_systems::{Invariant, Trace, TransitionSystem, Unroller, solver_config};
use foretell_terms::Term;

foretell_kernel::options! {
    /// Options of k-induction.
    pub struct KInductionOptions("kinduction") {
        /// The largest k to try.
        max_k: u32 = 10000, 0..=1_000_000;
    }
}

/// A property has at most so many parts.
const PARTS: usize = 400;

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
        let rigid = cx.terms.and(about_parameters(system, cx));
        step.solver.assert(cx.terms, rigid)?;
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
                let goals = step.goals.iter().copied();
                let proof = Invariant {
                    formula: cx.terms.and(goals.chain([rigid])),
                    k,
                    auxiliaries: Vec::new(),
                };
                return Ok(Verdict::Safe(proof));
            }
        }
        Ok(Verdict::Unknown(Reason::BoundReached(self.options.max_k)))
    }
}

/// The conjuncts of the first states that are about parameters only.
fn about_parameters(system: &TransitionSystem, cx: &Cx<'_>) -> Vec<Term> {
    let is_rigid = |&fact: &Term| {
        let vars = cx.terms.free_vars(&[fact]);
        cx.terms.functions(&[fact]).is_empty() && vars.iter().all(|v| system.params.contains(v))
    };
    let facts = cx.terms.conjuncts(system.init).into_iter();
    facts.filter(is_rigid).collect()
}

/// A growing unrolling with its solver.
struct Query {
    unroller: Unroller,
    solver: Box<dyn Solver>,
    /// The parts of the property; the one that was not shown last comes first.
    goals: Vec<Term>,
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
            goals: parts(cx.terms, system.property, PARTS),
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
        for at in 0..self.goals.len() {
            let bad = cx.terms.not(self.unroller.at(cx.terms, self.goals[at], k));
            self.solver.push();
            self.solver.assert(cx.terms, bad)?;
            let outcome = match self.solver.check(&[], cx)? {
                Answer::Unsat(_) => None,
                Answer::Sat(model) => {
                    let trace = self.unroller.trace(cx.terms, system, model.as_ref(), k)?;
                    Some(Outcome::Reachable(trace))
                }
                Answer::Unknown(words) => Some(Outcome::Undecided(words)),
            };
            self.solver.pop();
            let Some(outcome) = outcome else { continue };
            self.goals[..=at].rotate_right(1);
            return Ok(outcome);
        }
        Ok(Outcome::Unreachable)
    }
}
