//! Who runs next: a queue of turns, slots, time slices. Pure data, no processes.
//!
//! ```text
//! a turn = (property, step of the portfolio, slice)
//! a free slot takes the first turn of the queue
//! a running turn whose slice is over while others wait is suspended and queued again, slice × 2, or
//!     with the second slice that its step names: first turns are short so that everyone begins soon, and
//!     say nothing about how much an engine is worth;
//!     where that cannot be (suspended.rs), it is stopped, and starts anew with slice × 4
//! a slice counts from the end of reading, and is at least twice as long as reading took
//! a turn that found an answer is checked without a slice; when that takes long it lends its slot, and of
//!     several such turns all but the first make room like others: a proof that cannot be checked must
//!     not keep away an engine that finds another one
//! ```
//!
//! Every worker reads the input itself. Were reading counted, a slice of two seconds on a file that takes
//! six to read would never get to its engine; so at most a third of all time goes to reading.
//!
//! With several properties every turn has a slice, so that a hard property does not starve others.

use std::collections::VecDeque;
use std::time::Duration;

use crate::portfolio::Step;

/// The slice of steps without one when there are several properties.
pub(crate) const FAIR_SLICE: Duration = Duration::from_secs(5);
/// A worker that has been checking an answer for so long lends its slot.
pub(crate) const LENT_AFTER: Duration = Duration::from_secs(4);
/// So long a check has beside one that began before it.
const CHECK_SLICE: Duration = Duration::from_secs(2);
/// How many times as long as reading a slice is at least.
const READINGS: u32 = 2;
/// By how much a slice grows when its turn starts anew.
const GROWTH: u32 = 4;
/// By how much a slice grows when its turn goes on.
const GROWTH_ON: u32 = 2;

/// One run of one step on one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// Index of the property.
    pub(crate) task: usize,
    /// Index of the step.
    pub(crate) step: usize,
    /// How long it may run while others wait.
    pub(crate) slice: Option<Duration>,
    /// The same in its next turn; without it the slice grows.
    pub(crate) then: Option<Duration>,
}

impl Turn {
    /// How long its next turn is where it goes on.
    pub(crate) fn next_slice(&self) -> Option<Duration> {
        let grown = self.slice.map(|slice| slice.saturating_mul(GROWTH_ON));
        self.then.or(grown)
    }

    /// How long its next turn is where it starts anew: it must get further than it was.
    fn slice_anew(&self) -> Option<Duration> {
        let grown = self.slice.map(|slice| slice.saturating_mul(GROWTH));
        self.then.max(grown)
    }

    /// Whether both are of one step on one property.
    pub(crate) fn is_of(&self, other: Turn) -> bool {
        (self.task, self.step) == (other.task, other.step)
    }
}

/// What the worker of a turn is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// It reads the input.
    Read,
    /// It looks for an answer.
    Search {
        /// How long reading took.
        read: Duration,
    },
    /// It has one and checks it.
    Check,
}

/// The turns that wait.
#[derive(Default)]
pub(crate) struct Schedule {
    waiting: VecDeque<Turn>,
}

impl Schedule {
    /// All steps for one property.
    pub(crate) fn single(steps: &[Step]) -> Schedule {
        let mut schedule = Schedule::default();
        schedule
            .waiting
            .extend(steps.iter().enumerate().map(|(step, s)| Turn {
                task: 0,
                step,
                slice: s.slice,
                then: s.then,
            }));
        schedule
    }

    /// Adds the steps for properties `1..n`: what waits for property 0 keeps its place at the front of
    /// each round of steps.
    pub(crate) fn add_tasks(&mut self, n_tasks: usize, steps: &[Step]) {
        if n_tasks < 2 {
            return;
        }
        let first: Vec<Turn> = self.waiting.drain(..).collect();
        for (index, step) in steps.iter().enumerate() {
            let slice = Some(step.slice.unwrap_or(FAIR_SLICE));
            if first.iter().any(|t| t.step == index) {
                self.waiting.push_back(Turn {
                    task: 0,
                    step: index,
                    slice,
                    then: step.then,
                });
            }
            self.waiting.extend((1..n_tasks).map(|task| Turn {
                task,
                step: index,
                slice,
                then: step.then,
            }));
        }
    }

    /// The next turn.
    pub(crate) fn next(&mut self) -> Option<Turn> {
        self.waiting.pop_front()
    }

    /// The steps of the turns that wait, in their order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = usize> {
        self.waiting.iter().map(|turn| turn.step)
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// After how long from its start a running turn has to make room, if it has to: others wait, it has
    /// read the input and found nothing yet.
    pub(crate) fn room_after(&self, turn: &Turn, stage: Stage) -> Option<Duration> {
        let Stage::Search { read } = stage else {
            return None;
        };
        let slice = turn.slice.filter(|_| !self.is_empty());
        slice.map(|slice| read + slice.max(read * READINGS))
    }

    /// After how long from its beginning a check has to make room, if it has to: others wait, and another
    /// check has been going on for longer.
    pub(crate) fn room_after_check(&self, older: usize) -> Option<Duration> {
        (older > 0 && !self.is_empty()).then_some(CHECK_SLICE)
    }

    /// Whether a turn for this property waits.
    pub(crate) fn has(&self, task: usize) -> bool {
        self.waiting.iter().any(|turn| turn.task == task)
    }

    /// Queues a turn again after its slice was over.
    pub(crate) fn again(&mut self, turn: Turn) {
        self.queue(turn, turn.slice_anew());
    }

    /// Queues a turn again whose worker is suspended.
    pub(crate) fn later(&mut self, turn: Turn) {
        self.queue(turn, turn.next_slice());
    }

    fn queue(&mut self, turn: Turn, slice: Option<Duration>) {
        let then = None;
        self.waiting.push_back(Turn {
            slice,
            then,
            ..turn
        });
    }

    /// Takes a turn out of the queue.
    pub(crate) fn remove(&mut self, turn: Turn) {
        self.waiting.retain(|waiting| !waiting.is_of(turn));
    }

    /// Queues a turn again whose worker was lost: it is the next one.
    pub(crate) fn retry(&mut self, turn: Turn) {
        self.waiting.push_front(turn);
    }

    /// Forgets the turns of a property that is settled.
    pub(crate) fn forget(&mut self, task: usize) {
        self.waiting.retain(|turn| turn.task != task);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portfolio::Portfolio;

    #[test]
    fn a_second_slice_counts_once_and_grows_from_there() {
        let portfolio = Portfolio::built_in().expect("it fits");
        let steps = portfolio.steps("bmc", 2).expect("it is there");
        let step = |then: Option<u64>| Step {
            slice: Some(Duration::from_secs(1)),
            then: then.map(Duration::from_secs),
            ..steps[0].clone()
        };
        let slices = |then, later: fn(&mut Schedule, Turn)| {
            let mut schedule = Schedule::single(&[step(then)]);
            let mut next = || {
                let turn = schedule.next().expect("it is queued");
                later(&mut schedule, turn);
                turn.slice.map(|s| s.as_secs())
            };
            [next(), next(), next()].map(Option::unwrap_or_default)
        };
        assert_eq!(slices(None, Schedule::later), [1, 2, 4]);
        assert_eq!(slices(Some(3), Schedule::later), [1, 3, 6]);
        // What starts anew must get further than it was.
        assert_eq!(slices(Some(3), Schedule::again), [1, 4, 16]);
        assert_eq!(slices(Some(6), Schedule::again), [1, 6, 24]);
    }
}
