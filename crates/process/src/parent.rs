//! Ending together with whoever talks to this process.

use std::io;
use std::os::unix::process::parent_id;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal, getpid, kill_process};

/// How often the parent is looked for.
const EVERY: Duration = Duration::from_millis(200);
/// After this time a second signal is no longer taken for the first ([`crate::SignalPolicy::Watch`]).
const AGAIN: Duration = Duration::from_millis(700);

/// From now on this process ends when its parent is gone, or when nobody can read its standard output any
/// more: the parent may have died before it could be asked for.
///
/// Not by a parent-death signal: that is sent too when only the thread ends that started this process.
pub fn end_with_client() {
    let parent = parent_id();
    thread::spawn(move || {
        while parent_id() == parent {
            thread::sleep(EVERY);
        }
        end();
    });
    thread::spawn(|| {
        if is_unread_at_last() {
            end();
        }
    });
}

/// Waits until the reader of standard output has gone; `false` when that cannot be told.
fn is_unread_at_last() -> bool {
    let output = io::stdout();
    loop {
        // Nothing is asked for: only errors and hang-ups are told.
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) => {
                let told = watched[0].revents();
                return told.intersects(PollFlags::ERR | PollFlags::HUP);
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

/// Ends this process: the first signal may only end what it does at the moment.
fn end() {
    // If it cannot be sent, there is nobody to tell.
    while kill_process(getpid(), Signal::TERM).is_ok() {
        thread::sleep(AGAIN);
    }
}
