//! Budgets: the only place where a library looks at the clock.
//!
//! A run ends by the clock, but what it does before must not depend on the machine: the same input,
//! options and seed give the same output. So every limit inside a run is an amount of *work*. Work is
//! what the solver counts of its own steps, and a fixed charge for each step of ours that asks whether
//! to go on; both are the same in every run. Limits are written as times and turned into work at a
//! fixed rate, that of small queries on a machine of 2025. As a step may be dearer than the count says,
//! a part of a run is also ended by the clock, but only after many times its nominal time.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::clock;
use crate::halt::StopReason;

/// A flag another thread may raise to stop a run.
#[derive(Clone, Default, Debug)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks the run to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to stop.
    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// An amount of work, in the unit of the solver's own count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Work(pub u64);

impl Work {
    /// Units for a millisecond: measured on small queries of all engines, which lie between 1,500 and
    /// 10,000 with few exceptions.
    const PER_MILLISECOND: u64 = 4000;
    /// What a step between two looks at the budget is charged.
    pub const STEP: Work = Work(40);
    /// A part of a run is ended by the clock after so many times its nominal time.
    const PATIENCE: u32 = 10;
    /// … but not before this.
    const LEAST_PATIENCE: Duration = Duration::from_secs(2);

    /// The work that is nominally done in this time.
    pub const fn of_millis(milliseconds: u64) -> Work {
        Work(milliseconds.saturating_mul(Work::PER_MILLISECOND))
    }

    /// The time after which nobody waits for this work any more. Never short: a small amount may have to
    /// wait for the processor longer than it takes.
    pub fn patience(self) -> Duration {
        let nominal = Duration::from_millis(self.0 / Work::PER_MILLISECOND);
        nominal
            .saturating_mul(Work::PATIENCE)
            .max(Work::LEAST_PATIENCE)
    }
}

/// What a run has spent, and with it all its parts.
#[derive(Default, Debug)]
struct Meter {
    work: Cell<u64>,
    /// The solver queries left, if limited.
    queries: Cell<Option<u64>>,
}

/// What a run may spend: time, work, and solver queries.
#[derive(Debug)]
pub struct Budget {
    /// When the whole run ends, by the time of the machine.
    end: Option<Instant>,
    /// When this part of it ends, by the clock of the run ([`clock`]).
    deadline: Option<Instant>,
    /// When the run will probably be interrupted to make room for others; no limit.
    plan: Option<Instant>,
    /// The reading of the meter at which this part of the run ends.
    allowance: Option<u64>,
    meter: Rc<Meter>,
    cancel: CancelFlag,
    started: Instant,
}

impl Budget {
    /// No limit.
    pub fn unlimited() -> Budget {
        Budget {
            end: None,
            deadline: None,
            plan: None,
            allowance: None,
            meter: Rc::default(),
            cancel: CancelFlag::default(),
            started: clock::now(),
        }
    }

    /// A wall-clock limit from now.
    pub fn with_time(limit: Duration) -> Budget {
        Budget {
            end: Instant::now().checked_add(limit),
            ..Budget::unlimited()
        }
    }

    /// The same budget with an allowance of solver queries.
    pub fn with_queries(self, allowance: u64) -> Budget {
        self.meter.queries.set(Some(allowance));
        self
    }

    /// The same budget with a time after which the run may have to make room for others.
    pub fn with_plan(mut self, slice: Duration) -> Budget {
        self.plan = clock::now().checked_add(slice);
        self
    }

    /// A part of this budget: at most this work from now, never beyond the whole, same meter and cancel
    /// flag.
    pub fn slice(&self, work: Work) -> Budget {
        let own = self.meter.work.get().saturating_add(work.0);
        let allowance = Some(self.allowance.map_or(own, |whole| whole.min(own)));
        Budget {
            allowance,
            ..self.within(work.patience())
        }
    }

    /// A part of this budget by the clock: at most `limit` from now, never beyond the whole, same meter
    /// and cancel flag. What happens in it depends on the machine: for shares of the run's own time.
    pub fn within(&self, limit: Duration) -> Budget {
        let own = clock::now().checked_add(limit);
        let deadline = match (own, self.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget {
            end: self.end,
            deadline,
            plan: self.plan,
            allowance: self.allowance,
            meter: Rc::clone(&self.meter),
            cancel: self.cancel.clone(),
            started: clock::now(),
        }
    }

    /// The flag that stops this run.
    pub fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }

    /// Accounts for a step; `Err` once the budget is used up.
    pub fn check(&self) -> Result<(), StopReason> {
        self.spend(Work::STEP);
        if self.cancel.is_raised() {
            return Err(StopReason::Interrupted);
        }
        let out_of_work = self.work_left() == Some(Work(0));
        let over = self.end.is_some_and(|end| Instant::now() >= end)
            || self.deadline.is_some_and(|at| clock::now() >= at);
        if out_of_work || over {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    /// Accounts for work that was done.
    pub fn spend(&self, work: Work) {
        self.meter
            .work
            .set(self.meter.work.get().saturating_add(work.0));
    }

    /// The work left for this part of the run, if limited.
    pub fn work_left(&self) -> Option<Work> {
        self.allowance
            .map(|allowance| Work(allowance.saturating_sub(self.meter.work.get())))
    }

    /// Accounts for one solver query; `Err` when none is left or the budget is used up.
    pub fn spend_query(&self) -> Result<(), StopReason> {
        self.check()?;
        match self.meter.queries.get() {
            Some(0) => Err(StopReason::Queries),
            Some(left) => {
                self.meter.queries.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The time left, if limited.
    pub fn remaining(&self) -> Option<Duration> {
        let whole = self
            .end
            .map(|at| at.saturating_duration_since(Instant::now()));
        let part = self
            .deadline
            .map(|at| at.saturating_duration_since(clock::now()));
        whole.into_iter().chain(part).min()
    }

    /// The time to plan with: what is left until the run may have to make room for others, and, when
    /// that moment has passed, all the time left.
    pub fn planned(&self) -> Option<Duration> {
        let until_plan = self
            .plan
            .map(|plan| plan.saturating_duration_since(clock::now()));
        match (until_plan.filter(|left| !left.is_zero()), self.remaining()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The time since this budget was made.
    pub fn elapsed(&self) -> Duration {
        clock::since(self.started)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_no_limit() {
        let hour = Duration::from_secs(3600);
        let budget = Budget::with_time(hour).with_plan(Duration::from_secs(60));
        assert!(
            budget
                .planned()
                .is_some_and(|left| left <= Duration::from_secs(60))
        );
        assert!(
            budget
                .remaining()
                .is_some_and(|left| left > Duration::from_secs(60))
        );
        let over = Budget::with_time(hour).with_plan(Duration::ZERO);
        assert!(
            over.planned()
                .is_some_and(|left| left > Duration::from_secs(60))
        );
        assert_eq!(over.check(), Ok(()));
        assert_eq!(Budget::unlimited().planned(), None);
    }

    #[test]
    fn a_part_ends_by_work_and_the_whole_goes_on() {
        let whole = Budget::unlimited();
        let part = whole.slice(Work::of_millis(10));
        assert_eq!(part.work_left(), Some(Work::of_millis(10)));
        let inner = part.slice(Work::of_millis(1000));
        inner.spend(Work::of_millis(4));
        assert_eq!(
            part.work_left(),
            Some(Work::of_millis(6)),
            "the meter is shared"
        );
        assert_eq!(
            inner.work_left(),
            part.work_left(),
            "a part of a part is never beyond it"
        );
        assert_eq!(inner.check(), Ok(()));
        inner.spend(Work::of_millis(6));
        assert_eq!(part.check(), Err(StopReason::Time));
        assert_eq!(whole.check(), Ok(()));
        assert_eq!(whole.work_left(), None);
    }

    #[test]
    fn steps_are_work() {
        let part = Budget::unlimited().slice(Work::of_millis(1));
        let steps = (0..1_000_000).take_while(|_| part.check().is_ok()).count();
        assert_eq!(steps, 99);
    }

    #[test]
    fn queries_of_a_part_are_queries_of_the_whole() {
        let whole = Budget::unlimited().with_queries(2);
        let part = whole.slice(Work::of_millis(1000));
        assert_eq!((part.spend_query(), whole.spend_query()), (Ok(()), Ok(())));
        assert_eq!(part.spend_query(), Err(StopReason::Queries));
    }
}
