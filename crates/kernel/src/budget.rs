//! Budgets: the only place where a library looks at the clock.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a run may spend: time, and solver queries.
#[derive(Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    /// When the run will probably be interrupted to make room for others; no limit.
    plan: Option<Instant>,
    queries: Cell<Option<u64>>,
    cancel: CancelFlag,
    started: Instant,
}

impl Budget {
    /// No limit.
    pub fn unlimited() -> Budget {
        Budget {
            deadline: None,
            plan: None,
            queries: Cell::new(None),
            cancel: CancelFlag::default(),
            started: Instant::now(),
        }
    }

    /// A wall-clock limit from now.
    pub fn with_time(limit: Duration) -> Budget {
        let started = Instant::now();
        Budget { deadline: started.checked_add(limit), ..Budget::unlimited() }
    }

    /// The same budget with an allowance of solver queries.
    pub fn with_queries(self, allowance: u64) -> Budget {
        self.queries.set(Some(allowance));
        self
    }

    /// The same budget with a time after which the run may have to make room for others.
    pub fn with_plan(mut self, slice: Duration) -> Budget {
        self.plan = Instant::now().checked_add(slice);
        self
    }

    /// A part of this budget: at most `limit` from now, never beyond the whole, same cancel flag.
    pub fn slice(&self, limit: Duration) -> Budget {
        let own = Instant::now().checked_add(limit);
        let deadline = match (own, self.deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget {
            deadline,
            plan: self.plan,
            queries: Cell::new(self.queries.get()),
            cancel: self.cancel.clone(),
            started: Instant::now(),
        }
    }

    /// The flag that stops this run.
    pub fn cancel_flag(&self) -> CancelFlag {
        self.cancel.clone()
    }

    /// `Err` once the budget is used up.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.cancel.is_raised() {
            return Err(StopReason::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    /// Accounts for one solver query; `Err` when none is left or the budget is used up.
    pub fn spend_query(&self) -> Result<(), StopReason> {
        self.check()?;
        match self.queries.get() {
            Some(0) => Err(StopReason::Queries),
            Some(left) => {
                self.queries.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The time left, if limited.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The time to plan with: what is left until the run may have to make room for others, and, when
    /// that moment has passed, all the time left.
    pub fn planned(&self) -> Option<Duration> {
        let until_plan = self.plan.map(|plan| plan.saturating_duration_since(Instant::now()));
        match (until_plan.filter(|left| !left.is_zero()), self.remaining()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The time since this budget was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_no_limit() {
        let hour = Duration::from_secs(3600);
        let budget = Budget::with_time(hour).with_plan(Duration::from_secs(60));
        assert!(budget.planned().is_some_and(|left| left <= Duration::from_secs(60)));
        assert!(budget.remaining().is_some_and(|left| left > Duration::from_secs(60)));
        let over = Budget::with_time(hour).with_plan(Duration::ZERO);
        assert!(over.planned().is_some_and(|left| left > Duration::from_secs(60)));
        assert_eq!(over.check(), Ok(()));
        assert_eq!(Budget::unlimited().planned(), None);
    }
}
