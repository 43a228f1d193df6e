//! The context that is handed to every part of a run.

use std::cell::Cell;
use std::time::Duration;

use foretell_terms::TermStore;

use crate::budget::{Budget, Work};
use crate::event::{Event, EventSink, Phase};
use crate::halt::{Halt, StopReason};
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

    /// The next script will probably begin like this: a solver can read it meanwhile.
    fn expect(&self, _head: &str) {}

    /// Runs another Horn solver on a text, in a process of its own, with these parameters, and
    /// returns what it printed. Nothing of it is known to be true.
    fn horn(&self, text: &str, parameters: &[String], limit: Duration) -> Result<String, Halt>;
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

    /// Runs a part of the run as a phase. It is left however the part ends.
    pub fn during<T>(&self, phase: Phase, part: impl FnOnce() -> T) -> T {
        self.events.emit(Event::Enter(phase));
        let outcome = part();
        self.events.emit(Event::Leave(phase));
        outcome
    }

    /// Runs a part of the run with at most this work. `None`: it used that up, and the whole goes on.
    pub fn within<T>(
        &self,
        work: Work,
        part: impl FnOnce(&Cx<'_>) -> Result<T, Halt>,
    ) -> Result<Option<T>, Halt> {
        self.inside(&self.budget.slice(work), part)
    }

    /// Runs a part of the run with a part of its budget. `None`: it used that up, and the whole goes on.
    pub fn inside<T>(
        &self,
        budget: &Budget,
        part: impl FnOnce(&Cx<'_>) -> Result<T, Halt>,
    ) -> Result<Option<T>, Halt> {
        match part(&self.with_budget(budget)) {
            Err(Halt::Stopped(StopReason::Time)) => {
                self.budget.check()?;
                Ok(None)
            }
            outcome => outcome.map(Some),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::NullSink;
    use std::cell::RefCell;

    struct NoOracles;

    impl Oracles for NoOracles {
        fn solver(&self, _config: &SolverConfig) -> Box<dyn Solver> {
            unreachable!("no test here asks a solver")
        }

        fn interpolator(&self, _strength: Strength) -> Box<dyn Interpolator> {
            unreachable!("no test here interpolates")
        }

        fn script(&self, _script: &str, _limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
            Err(Halt::Solver("no solver".into()))
        }

        fn horn(
            &self,
            _text: &str,
            _parameters: &[String],
            _limit: Duration,
        ) -> Result<String, Halt> {
            Err(Halt::Solver("no other solver".into()))
        }
    }

    fn with_cx<T>(events: &dyn EventSink, budget: &Budget, body: impl FnOnce(&Cx<'_>) -> T) -> T {
        let (terms, rng) = (TermStore::new(), Rng::new(0));
        body(&Cx {
            terms: &terms,
            events,
            budget,
            oracles: &NoOracles,
            rng: &rng,
        })
    }

    /// Uses up the budget it is given.
    fn endless(cx: &Cx<'_>) -> Result<(), Halt> {
        loop {
            cx.budget.check()?;
        }
    }

    #[test]
    fn a_part_that_uses_its_work_up_gives_nothing() {
        with_cx(&NullSink, &Budget::unlimited(), |cx| {
            let part = Work::of_millis(1);
            assert_eq!(cx.within(part, endless), Ok(None));
            assert_eq!(cx.within(part, |_| Ok(3)), Ok(Some(3)));
            let failed = Halt::Solver("refused".into());
            let failing = |_: &Cx<'_>| Err::<(), Halt>(failed.clone());
            assert_eq!(cx.within(part, failing), Err(failed.clone()));
        });
    }

    #[test]
    fn a_part_of_a_whole_that_is_over_is_over() {
        let stopped = Err(Halt::Stopped(StopReason::Time));
        with_cx(&NullSink, &Budget::unlimited(), |cx| {
            let whole = cx.budget.slice(Work::of_millis(1));
            let cx = cx.with_budget(&whole);
            assert_eq!(cx.within(Work::of_millis(9), endless), stopped);
        });
        let none_left = Budget::unlimited().with_queries(0);
        with_cx(&NullSink, &none_left, |cx| {
            let asked = cx.within(Work::of_millis(9), |cx| Ok(cx.budget.spend_query()?));
            assert_eq!(asked, Err(Halt::Stopped(StopReason::Queries)));
        });
    }

    #[test]
    fn a_phase_that_fails_is_left() {
        struct Log(RefCell<Vec<String>>);
        impl EventSink for Log {
            fn emit(&self, event: Event<'_>) {
                self.0.borrow_mut().push(format!("{event:?}"));
            }
        }
        let log = Log(RefCell::default());
        let failed = with_cx(&log, &Budget::unlimited(), |cx| {
            cx.during(Phase::Refine, || -> Result<(), Halt> {
                Err(Halt::NotLifted("test"))?;
                Ok(())
            })
        });
        assert!(failed.is_err());
        assert_eq!(*log.0.borrow(), ["Enter(Refine)", "Leave(Refine)"]);
    }
}
