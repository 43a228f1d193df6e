//! Bounded model checking.
//!
//! Paper: Biere, Cimatti, Clarke, Zhu, "Symbolic model checking without BDDs", TACAS 1999.
//!
//! ```text
//! check(I, T, P)                                    // fn check
//!   assert I@0
//!   for k = 0, 1, 2, …
//!     I@0 ∧ T@0 ∧ … ∧ T@(k-1) ∧ ¬P@k satisfiable?   // fn violation
//!       return Unsafe(trace of the model)
//!     assert P@k, T@k                               // P@k is implied now
//! ```
//!
//! One incremental solver with native arrays. Departures: when the core of an unsatisfiable query does not
//! contain `¬P@k`, there is no run of `k` steps at all; for small `k` the strongest formulas are a proof
//! (`strongest.rs`). Limits: it answers `Safe` nowhere else. A bound the solver cannot decide is skipped,
//! and the engine gives up after several in a row.

use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Peers, Reason, Solver, Unsupported, Verdict,
};
use foretell_systems::{Trace, TransitionSystem, Unroller, solver_config};

use crate::strongest;

foretell_kernel::options! {
    /// Options of bounded model checking.
    pub struct BmcOptions("bmc") {
        /// The longest counterexample to look for.
        max_bound: u32 = u32::MAX, 0..=u32::MAX;
        /// Undecided bounds in a row after which the engine gives up.
        patience: u32 = 3, 0..=1_000_000;
    }
}

/// Runs of more steps than this are not made into formulas: each step nests quantifiers.
const MOST_LAYERS: u32 = 16;

/// Bounded model checking of transition systems.
#[derive(Default)]
pub struct Bmc {
    options: BmcOptions,
}

impl Bmc {
    /// The engine with these options.
    pub fn new(options: BmcOptions) -> Bmc {
        Bmc { options }
    }
}

/// What one bound showed.
enum Bound {
    Violated(Trace),
    Clean,
    /// No run has so many steps.
    Over,
    Undecided(String),
}

impl Engine<TransitionSystem> for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
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
        let mut unroller = Unroller::new(system);
        let mut solver = cx.oracles.solver(&solver_config("bmc", system, cx));
        solver.assert(cx.terms, unroller.at(cx.terms, system.init, 0))?;
        let mut undecided = 0;
        for k in 0..=self.options.max_bound {
            match violation(system, &mut unroller, solver.as_mut(), k, cx)? {
                Bound::Violated(trace) => return Ok(Verdict::Unsafe(trace)),
                Bound::Clean => {
                    undecided = 0;
                    cx.events.emit(Event::Bound(k));
                    solver.assert(cx.terms, unroller.at(cx.terms, system.property, k))?;
                }
                Bound::Over => {
                    let steps = k.saturating_sub(1);
                    if k <= MOST_LAYERS
                        && let Some(proof) = strongest::of_system(system, steps, cx)?
                    {
                        return Ok(Verdict::Safe(proof));
                    }
                    let words = match k.checked_sub(1) {
                        Some(longest) => format!("no run has more than {longest} steps"),
                        None => "there is no initial state".to_owned(),
                    };
                    return Ok(Verdict::Unknown(Reason::Exhausted(words)));
                }
                Bound::Undecided(words) => {
                    undecided += 1;
                    if undecided >= self.options.patience {
                        return Ok(Verdict::Unknown(Reason::SolverUnknown(words)));
                    }
                }
            }
            solver.assert(cx.terms, unroller.at(cx.terms, system.trans, k))?;
        }
        Ok(Verdict::Unknown(Reason::BoundReached(
            self.options.max_bound,
        )))
    }
}

/// Is there a run of exactly `k` steps into `¬P`?
fn violation(
    system: &TransitionSystem,
    unroller: &mut Unroller,
    solver: &mut dyn Solver,
    k: u32,
    cx: &Cx<'_>,
) -> Result<Bound, Halt> {
    let bad = cx.terms.not(unroller.at(cx.terms, system.property, k));
    match solver.check(&[bad], cx)? {
        Answer::Sat(model) => Ok(Bound::Violated(unroller.trace(
            cx.terms,
            system,
            model.as_ref(),
            k,
        )?)),
        Answer::Unsat(core) if core.is_empty() => Ok(Bound::Over),
        Answer::Unsat(_) => Ok(Bound::Clean),
        Answer::Unknown(words) => Ok(Bound::Undecided(words)),
    }
}
