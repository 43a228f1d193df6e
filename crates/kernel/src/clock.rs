//! The clock of a run: time in which its process stood still does not count.
//!
//! ```text
//! a worker that makes room for others is stopped and goes on later; a thread of it calls now() ten
//! times a second, so the time between two calls is short unless the process was stopped
//! now()    the time, less all the time between calls that were further apart than GAP
//! ```
//!
//! Whoever calls first after such a pause notices it, so nobody sees the time before it is set right.
//! In a process that did not say that a thread calls regularly ([`watch`]), it is the plain time.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Calls that are further apart than this had a pause between them.
const GAP: Duration = Duration::from_secs(1);
/// How often the clock is looked at while a message is waited for.
const LOOK: Duration = Duration::from_millis(200);

/// The last call, and the pauses so far; nothing while nobody calls regularly.
static CALLS: Mutex<Option<Calls>> = Mutex::new(None);

#[derive(Clone, Copy, Debug)]
struct Calls {
    last: Instant,
    paused: Duration,
}

impl Calls {
    /// Notes a call; the time without pauses.
    fn call(&mut self, real: Instant) -> Instant {
        let gap = real.saturating_duration_since(self.last);
        if gap > GAP {
            self.paused += gap;
        }
        self.last = self.last.max(real);
        real.checked_sub(self.paused).unwrap_or(real)
    }
}

/// From now on some thread calls [`now`] much more often than once a second.
pub fn watch() {
    let (last, paused) = (Instant::now(), Duration::ZERO);
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    calls.get_or_insert(Calls { last, paused });
}

/// The time without the pauses of this process.
pub fn now() -> Instant {
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    let real = Instant::now();
    calls.as_mut().map_or(real, |calls| calls.call(real))
}

/// What is sent within this time of this clock: a message that took its time because both ends stood still
/// is not late.
///
/// # Errors
/// When the time is over, or nobody can send any more.
pub fn receive<T>(receiver: &Receiver<T>, limit: Duration) -> Result<T, RecvTimeoutError> {
    let began = now();
    loop {
        let left = limit.saturating_sub(since(began));
        let received = receiver.recv_timeout(left.min(LOOK));
        let waits = matches!(received, Err(RecvTimeoutError::Timeout));
        if !waits || since(began) >= limit {
            return received;
        }
    }
}

/// The time since a moment of this clock.
pub fn since(moment: Instant) -> Duration {
    now().saturating_duration_since(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_in_time_or_not_at_all() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let soon = LOOK + Duration::from_millis(50);
        let thread = std::thread::spawn(move || {
            std::thread::sleep(soon);
            sender.send(1)
        });
        assert_eq!(receive(&receiver, soon * 20), Ok(1));
        thread.join().expect("it ends").expect("it was received");
        let gone = Err(RecvTimeoutError::Disconnected);
        assert_eq!(receive(&receiver, soon), gone);
        let (_sender, silent) = std::sync::mpsc::channel::<u8>();
        let late = Err(RecvTimeoutError::Timeout);
        assert_eq!(receive(&silent, soon), late);
        assert_eq!(receive(&silent, Duration::ZERO), late);
    }

    #[test]
    fn pauses_do_not_count() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let (last, paused) = (start, Duration::ZERO);
        let mut calls = Calls { last, paused };
        assert_eq!(calls.call(at(100)), at(100));
        assert_eq!(calls.call(at(1000)), at(1000), "a slow machine is no pause");
        assert_eq!(calls.call(at(11_000)), at(1000));
        assert_eq!(calls.call(at(11_100)), at(1100));
        assert_eq!(calls.call(at(31_100)), at(1100));
        assert_eq!(
            calls.call(at(31_000)),
            at(1000),
            "two threads may call out of order"
        );
    }
}
