//! Killing a whole process tree.
//!
//! ```text
//! kill(root):
//!   stop root, unless it is spared (then it is the caller itself)
//!   repeat                                   -- freeze
//!     new := descendants(root) \ stopped
//!     stop each of new
//!   until new was empty twice in a row
//!   kill root's descendants, then root
//!   repeat until all are gone or time is up: kill again what is left
//! ```
//!
//! A process that forks and exits all the time is gone before its signal arrives. Signals therefore go to
//! whole process groups: the kernel delivers to all members at once, and a fork with a signal pending
//! does not happen. Trees live in sessions of their own (the shim's `setsid`), so no member of another
//! tree can be in such a group.
//!
//! Stopping first makes the set of members final: a stopped process starts no other, and a scan of
//! `/proc` during which no process was started misses none.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

use crate::procfs::{self, Process};

/// After this time a kill stops waiting; what is left is in uninterruptible sleep.
const PATIENCE: Duration = Duration::from_secs(2);

/// For this long a scan counts only if no process was started anywhere during it.
const QUIET_PATIENCE: Duration = Duration::from_millis(30);

/// Names a process for good: pid and start time.
pub(crate) type Identity = (i32, u64);

/// Sends a signal to a process id, if the process still exists.
pub(crate) fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        // The only failures are "gone" and "not ours"; both leave nothing to do.
        let _ = kill_process(pid, signal);
    }
}

/// Sends a signal to a process and to its group, unless that group may hold processes outside the tree:
/// it is our own, or in our session while we do not lead it.
fn signal_group(process: &Process, what: Signal) {
    signal(process.pid, what);
    let own = procfs::process(std::process::id() as i32);
    let of_tree = own.is_some_and(|me| {
        me.group != process.group && (me.session != process.session || me.session == me.pid)
    });
    if of_tree && let Some(group) = Pid::from_raw(process.group).filter(|_| process.group > 1) {
        let _ = kill_process_group(group, what);
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
///
/// A scan is clean when it found no new member and no process of the machine was started during it:
/// one that forks and exits all the time can otherwise slip through any number of scans. On a machine
/// where others start processes all the time this never holds, so it is asked for only a while.
fn freeze(root: i32) -> Vec<Process> {
    let begin = Instant::now();
    let mut stopped: Vec<Identity> = Vec::new();
    let mut clean_scans = 0;
    loop {
        let newest = procfs::newest_pid();
        let members = procfs::descendants(&procfs::all(), root);
        let known = stopped.len();
        for p in members.iter().filter(|p| !p.is_dead()) {
            if !stopped.contains(&(p.pid, p.start)) {
                stopped.push((p.pid, p.start));
                signal_group(p, Signal::STOP);
            }
        }
        let quiet = newest == procfs::newest_pid() || begin.elapsed() > QUIET_PATIENCE;
        clean_scans = if stopped.len() == known && quiet { clean_scans + 1 } else { 0 };
        if clean_scans == 2 || begin.elapsed() > PATIENCE {
            return members;
        }
    }
}

/// Kills everything below `root`, also the earlier members in `strays`, and, as told, `root`.
/// Returns when all are dead.
pub(crate) fn kill(root: i32, which: Root, strays: &[Identity]) {
    if which == Root::Kill {
        // Or it could start another process after the last look at its descendants.
        signal(root, Signal::STOP);
    }
    let members = freeze(root);
    let mut doomed: Vec<Identity> = members.iter().map(|p| (p.pid, p.start)).collect();
    for stray in strays {
        if !doomed.contains(stray) {
            doomed.push(*stray);
        }
    }
    members.iter().filter(|p| !p.is_dead()).for_each(|p| signal_group(p, Signal::KILL));
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
