//! Turns that make room without losing their work.
//!
//! ```text
//! slice over while others wait     the worker is stopped (SIGSTOP) and its turn queued; where too many are
//!                                  suspended, or workers elsewhere share the turns, it is killed
//! its turn comes                   it goes on (SIGCONT) with a slice of its own
//! it said before it was stopped    that it found something, or its last word: it goes on at once
//! a check that made room          it goes on like a search when its turn comes (schedule.rs)
//! it is gone                       (memory was short): its turn starts anew when it comes
//! ```
//!
//! What the others tell it waits in its pipe. Its budget does not count the time
//! (`kernel/src/clock.rs`), but for that of the whole run.

use std::time::{Duration, Instant};

use foretell_process::ChildId;

use crate::check::remote::Role;
use crate::check::schedule::{Stage, Turn};
use crate::check::{Active, Happening, Observer, Session};

/// At most so many workers are suspended: each keeps its memory.
const MOST: usize = 12;

impl Session<'_> {
    /// A worker whose slice is over makes room.
    pub(super) fn make_room(&mut self, child: ChildId, observer: &mut dyn Observer) {
        let room = self.has_room();
        let Some(active) = self.active.get_mut(&child) else {
            return;
        };
        if active.role == Role::Here && room {
            active.suspended = true;
            active.checking = None;
            self.schedule.later(active.turn);
            self.supervisor.suspend(child);
            let name = &self.request.steps[active.turn.step].configuration.name;
            observer.happened(name, &Happening::Suspended);
        } else {
            active.sliced = true;
            self.supervisor.kill(child);
        }
    }

    /// Whether one more worker can be suspended.
    fn has_room(&self) -> bool {
        let resting = self.active.values().filter(|a| a.suspended).count();
        resting < MOST && self.request.host.remote.is_none()
    }

    /// When a check that began then has to make room, if it has to; it is suspended or goes on, never lost.
    pub(super) fn end_of_check(&self, active: &Active, since: Instant) -> Option<Instant> {
        let older = |a: &&Active| !a.suspended && a.checking.is_some_and(|other| other < since);
        let older = self.active.values().filter(older).count();
        let room = self.schedule.room_after_check(older);
        let room = room.filter(|_| active.role == Role::Here && self.has_room());
        room.map(|slice| since + slice)
    }

    /// Lets the worker of a turn go on, if it is suspended.
    pub(super) fn goes_on(&mut self, turn: Turn, observer: &mut dyn Observer) -> bool {
        let mut all = self.active.iter_mut();
        let Some((&child, active)) = all.find(|(_, a)| a.suspended && a.turn.is_of(turn)) else {
            return false;
        };
        active.suspended = false;
        active.turn = turn;
        active.since = Instant::now();
        active.stage = Stage::Search {
            read: Duration::ZERO,
        };
        self.supervisor.wake(child);
        let name = &self.request.steps[turn.step].configuration.name;
        observer.happened(name, &Happening::Started(turn.slice));
        true
    }

    /// A worker said something after which it is not to wait, maybe before it was suspended.
    pub(super) fn rouse(&mut self, child: ChildId) {
        if let Some(active) = self.active.get_mut(&child).filter(|a| a.suspended) {
            active.suspended = false;
            self.schedule.remove(active.turn);
            self.supervisor.wake(child);
        }
    }
}
