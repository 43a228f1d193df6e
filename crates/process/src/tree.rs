//! Killing a whole process tree.
//!
//! ```text
//! kill(root):
//!   repeat                                   -- freeze
//!     new := descendants(root) \ stopped
//!     stop each of new
//!   until new was empty twice in a row
//!   kill root's descendants, then root
//!   repeat until all are gone or time is up: kill again what is left
//! ```
//!
//! Stopping first makes the set of members final: a stopped process starts no other, and a scan of
//! `/proc` may miss a process born during the scan but not during the one after.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::procfs::{self, Process};

/// After this time a kill stops waiting; what is left is in uninterruptible sleep.
const PATIENCE: Duration = Duration::from_secs(2);

/// Names a process for good: pid and start time.
pub(crate) type Identity = (i32, u64);

/// Sends a signal to a process id, if the process still exists.
pub(crate) fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        // The only failures are "gone" and "not ours"; both leave nothing to do.
        let _ = kill_process(pid, signal);
    }
}

/// Whether to spare the root itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root {
    /// The root dies with its descendants.
    Kill,
    /// Only descendants die.
    Spare,
}

/// Stops every process below `root`, then gives them all.
pub(crate) fn freeze(root: i32) -> Vec<Process> {
    let give_up = Instant::now() + PATIENCE;
    let mut stopped: Vec<Identity> = Vec::new();
    let mut clean_scans = 0;
    loop {
        let members = procfs::descendants(&procfs::all(), root);
        let known = stopped.len();
        for p in members.iter().filter(|p| !p.is_dead()) {
            if !stopped.contains(&(p.pid, p.start)) {
                stopped.push((p.pid, p.start));
                signal(p.pid, Signal::STOP);
            }
        }
        clean_scans = if stopped.len() == known { clean_scans + 1 } else { 0 };
        if clean_scans == 2 || Instant::now() > give_up {
            return members;
        }
    }
}

/// Kills everything below `root`, also the earlier members in `strays`, and, as told, `root`.
/// Returns when all are dead.
pub(crate) fn kill(root: i32, which: Root, strays: &[Identity]) {
    let members = freeze(root);
    let mut doomed: Vec<Identity> = members.iter().map(|p| (p.pid, p.start)).collect();
    for stray in strays {
        if !doomed.contains(stray) {
            doomed.push(*stray);
        }
    }
    for &(pid, start) in &doomed {
        kill_if_same(pid, start);
    }
    if which == Root::Kill {
        signal(root, Signal::KILL);
    }
    let give_up = Instant::now() + PATIENCE;
    while doomed.iter().any(|&id| is_alive(id)) && Instant::now() < give_up {
        doomed.iter().for_each(|&(pid, start)| kill_if_same(pid, start));
        thread::sleep(Duration::from_micros(500));
    }
    doomed.iter().for_each(|&(pid, _)| reap(pid));
}

/// Kills former members of a tree whose root is dead, with everything below them. A dead root has no
/// descendants any more, so those that outlived it are found only if they were seen before.
pub(crate) fn kill_strays(strays: &[Identity]) {
    for &id in strays.iter().filter(|&&id| is_alive(id)) {
        kill(id.0, Root::Kill, &[id]);
        reap(id.0);
    }
}

/// Whether a process exists and has not died.
fn is_alive((pid, start): Identity) -> bool {
    procfs::process(pid).is_some_and(|p| p.start == start && !p.is_dead())
}

/// Kills a process unless its id now belongs to another one.
fn kill_if_same(pid: i32, start: u64) {
    if is_alive((pid, start)) {
        signal(pid, Signal::KILL);
    }
}

/// Removes a dead adopted child from the process table; no effect on other processes.
fn reap(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}
