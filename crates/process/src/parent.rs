//! Ending together with the process that started this one.

use std::os::unix::process::parent_id;
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

/// How often the parent is looked for.
const EVERY: Duration = Duration::from_millis(200);

/// From now on this process gets SIGTERM when its parent is gone.
///
/// Not by a parent-death signal: that is sent too when only the thread ends that started this process.
pub fn end_with_parent() {
    let parent = parent_id();
    thread::spawn(move || {
        while parent_id() == parent {
            thread::sleep(EVERY);
        }
        // If it cannot be sent, there is nobody to tell.
        let _ = kill_process(getpid(), Signal::TERM);
    });
}
