//! The context that is handed to every part of a run.

use std::cell::Cell;
use std::time::Duration;

use foretell_terms::{Term, TermStore};

use crate::budget::Budget;
use crate::event::EventSink;
use crate::halt::Halt;
use crate::interpolator::{Interpolator, Strength};
use crate::solver::{ScriptAnswer, Solver, SolverConfig};

/// Makes solvers and interpolators; the driver decides which.
pub trait Oracles {
    /// A new incremental solver.
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver>;

    /// A new interpolator.
    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator>;

    /// Runs an SMT-LIB script in a fresh process of a solver with its own parser, and returns its
    /// answers to the `check-sat` commands in order. Fewer answers than commands means the rest is
    /// unknown.
    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt>;

    /// What other engines said about the same problem since the last call. Nothing of it is known to be
    /// true; it is of the right sort and about the problem's own symbols.
    fn hints(&self) -> Vec<Hint> {
        Vec::new()
    }
}

/// What another engine said about the problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The number of the predicate whose parameters the formula is about; `None`: it is about the state
    /// of a transition system.
    pub predicate: Option<u32>,
    /// The formula.
    pub formula: Term,
}

/// What every part of a run may need; nothing else is ever added here.
#[derive(Clone, Copy)]
pub struct Cx<'a> {
    /// The terms of this run.
    pub terms: &'a TermStore,
    /// Where events go.
    pub events: &'a dyn EventSink,
    /// Deadline, query allowance, cancel flag.
    pub budget: &'a Budget,
    /// Makes solvers and interpolators.
    pub oracles: &'a dyn Oracles,
    /// The only randomness.
    pub rng: &'a Rng,
}

impl<'a> Cx<'a> {
    /// The same context with another budget.
    pub fn with_budget<'b>(&self, budget: &'b Budget) -> Cx<'b>
    where
        'a: 'b,
    {
        Cx {
            terms: self.terms,
            events: self.events,
            budget,
            oracles: self.oracles,
            rng: self.rng,
        }
    }
}

/// A small deterministic generator (splitmix64).
#[derive(Debug)]
pub struct Rng(Cell<u64>);

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Cell::new(seed))
    }

    /// The next number.
    pub fn next_u64(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, for `n > 0`.
    pub fn below(&self, n: u64) -> u64 {
        self.next_u64() % n.max(1)
    }
}
