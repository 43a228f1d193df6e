//! Symbolic execution with merging: proves and refutes programs whose loops run a fixed number of times.
//!
//! Papers: King, "Symbolic execution and program testing", CACM 1976; states are merged as in Kuznetsov,
//! Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012.
//!
//! ```text
//! check(S)                                                        // fn check
//!   layer ← the states of clauses without premises                // a state: p(t), condition φ, over inputs
//!   while layer is not empty                                      // explore.rs
//!     for each state and each rule from its predicate
//!       φ' ← φ ∧ guard(t), new inputs for what the rule leaves open;  false: no successor
//!       a query: φ' satisfiable? return Unsafe(the run of the model)     // run.rs
//!     layer ← the successors that are new; those of one predicate are one state if the constants that
//!             decide loops agree                                  // merge.rs
//!   return Safe(p ↦ ⋁ over its states of ∃inputs. φ ∧ params = t)       // proof.rs
//! ```
//!
//! Where a loop runs over numerals, its guard becomes `true` or `false` by evaluation, the sum over an array
//! is a linear form over its cells, and two sums over the same cells are the same term: what takes an
//! engine with abstraction a fact for each prefix of the array is here a comparison of terms.
//!
//! Contract: the formulas of a proof hold of exactly what is reachable, so they are inductive by their
//! definition; inputs that a parameter determines are put in, the others stay under a quantifier.
//! Departures: no feasibility checks on the way, conditions are only simplified. Limits: linear clauses
//! without quantifiers and functions; gives up after so many states.

mod explore;
mod merge;
mod proof;
mod run;
#[cfg(test)]
mod tests;

use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Peers, Reason, Solver, SolverConfig, Unsupported, Verdict,
};
use foretell_systems::ChcSystem;

use crate::program::Program;
use explore::{Exploration, Goal};

foretell_kernel::options! {
    /// Options of symbolic execution.
    pub struct SymbolicOptions("symbolic") {
        /// The most states before the engine gives up.
        max_states: usize = 2_000, 1..=1_000_000;
        /// The same where no condition was left open so far: such a program runs in one way.
        max_decided: usize = 40_000, 1..=10_000_000;
        /// The most states of one layer before the engine gives up.
        max_width: usize = 64, 1..=1_000_000;
    }
}

/// Symbolic execution with merging.
#[derive(Default)]
pub struct Symbolic {
    options: SymbolicOptions,
}

impl Symbolic {
    /// The engine with these options.
    pub fn new(options: SymbolicOptions) -> Symbolic {
        Symbolic { options }
    }
}

impl Engine<ChcSystem> for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        if !system.is_linear() {
            return Err(Unsupported("non-linear clauses".into()));
        }
        if !cx.terms.functions(&system.formulas()).is_empty() {
            return Err(Unsupported("functions of the background theory".into()));
        }
        if system
            .formulas()
            .iter()
            .any(|&f| cx.terms.has_quantifier(f))
        {
            return Err(Unsupported("quantified constraints".into()));
        }
        Ok(())
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        _peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let program = Program::new(system, cx.terms);
        let mut exploration = Exploration::new(&program, cx);
        let mut solver = cx.oracles.solver(&SolverConfig::new("symbolic"));
        let mut depth = 0;
        while !exploration.is_over() {
            cx.budget.check()?;
            for goal in exploration.advance() {
                if let Some(verdict) = met(&exploration, &goal, solver.as_mut(), cx)? {
                    return Ok(verdict);
                }
            }
            cx.events.emit(Event::Bound(depth));
            depth += 1;
            let (states, width) = exploration.size();
            let most = match exploration.is_decided() {
                true => self.options.max_decided,
                false => self.options.max_states,
            };
            if states > most || width > self.options.max_width || exploration.is_large() {
                let words = format!("{states} states, and not all of them");
                return Ok(Verdict::Unknown(Reason::Exhausted(words)));
            }
        }
        Ok(Verdict::Safe(proof::strongest(&exploration)))
    }
}

/// The verdict if the goal is met, or if nobody knows.
fn met(
    exploration: &Exploration<'_>,
    goal: &Goal,
    solver: &mut dyn Solver,
    cx: &Cx<'_>,
) -> Result<Option<Verdict<ChcSystem>>, Halt> {
    solver.push();
    solver.assert(cx.terms, goal.condition)?;
    let verdict = match solver.check(&[], cx)? {
        Answer::Unsat(_) => None,
        Answer::Sat(model) => Some(match run::derivation(exploration, goal, model.as_ref()) {
            Some(run) => Verdict::Unsafe(run),
            None => {
                let words = "the solver's model is no run".into();
                Verdict::Unknown(Reason::Exhausted(words))
            }
        }),
        Answer::Unknown(words) => Some(Verdict::Unknown(Reason::SolverUnknown(words))),
    };
    solver.pop();
    Ok(verdict)
}
