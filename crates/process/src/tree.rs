//! Killing a whole process tree.
//!
//! ```text
//! strike(roots):
//!   stop the roots, unless they are spared (then the root is the caller itself)
//!   repeat                                   -- freeze
//!     new := descendants(roots) \ stopped
//!     stop each of new
//!   until new was empty twice in a row
//!   kill the descendants, then the roots
//! bury(doomed):
//!   repeat until all are gone or time is up: kill again what is left
//! ```
//!
//! Several trees are struck together before any is waited for: the kernel takes a quarter of a
//! second to take back a gigabyte, and the trees should spend that time side by side.
//!
//! A process that forks and exits all the time is gone before its signal arrives. Signals therefore
//! go to whole process groups: the kernel delivers to all members at once, and a fork with a signal
//! pending does not happen. Trees live in sessions of their own (the shim's `setsid`), so no member
//! of another tree can be in such a group.
//!
//! Stopping first makes the set of members final: a stopped process starts no other, and a scan of
//! `/proc` during which no process was started misses none.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpgid, waitpid,
};

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

/// Sends a signal to a process and to its group, unless that group may hold processes outside the
/// tree: it is our own, or in our session while we do not lead it.
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

/// Stops every process below the roots, then gives them all.
///
/// A scan is clean when it found no new member and no process of the machine was started during it:
/// one that forks and exits all the time can otherwise slip through any number of scans. On a
/// machine where others start processes all the time this never holds, so it is asked for only a
/// while.
fn freeze(roots: &[i32]) -> Vec<Process> {
    let begin = Instant::now();
    let mut stopped: Vec<Identity> = Vec::new();
    let mut clean_scans = 0;
    loop {
        let newest = procfs::newest_pid();
        let all = procfs::all();
        let members: Vec<Process> = roots
            .iter()
            .flat_map(|&r| procfs::descendants(&all, r))
            .collect();
        let known = stopped.len();
        for p in members.iter().filter(|p| !p.is_dead()) {
            if !stopped.contains(&(p.pid, p.start)) {
                stopped.push((p.pid, p.start));
                signal_group(p, Signal::STOP);
            }
        }
        let quiet = newest == procfs::newest_pid() || begin.elapsed() > QUIET_PATIENCE;
        clean_scans = if stopped.len() == known && quiet {
            clean_scans + 1
        } else {
            0
        };
        if clean_scans == 2 || begin.elapsed() > PATIENCE {
            return members;
        }
    }
}

/// Kills everything below `root`, also the earlier members in `strays`, and, as told, `root`.
/// Returns when all are dead.
pub(crate) fn kill(root: i32, which: Root, strays: &[Identity]) {
    bury(&strike(&[root], which, strays));
}

/// Sends the death signal to everything below `roots`, also to the earlier members in `strays`,
/// and, as told, to `roots`. Gives those that [`bury`] must wait for: all but the roots.
pub(crate) fn strike(roots: &[i32], which: Root, strays: &[Identity]) -> Vec<Identity> {
    if which == Root::Kill {
        // Or one could start another process after the last look at its descendants.
        roots.iter().for_each(|&root| signal(root, Signal::STOP));
    }
    let members = freeze(roots);
    let mut doomed: Vec<Identity> = members.iter().map(|p| (p.pid, p.start)).collect();
    for stray in strays {
        if !doomed.contains(stray) {
            doomed.push(*stray);
        }
    }
    members
        .iter()
        .filter(|p| !p.is_dead())
        .for_each(|p| signal_group(p, Signal::KILL));
    for &(pid, start) in &doomed {
        kill_if_same(pid, start);
    }
    if which == Root::Kill {
        roots.iter().for_each(|&root| signal(root, Signal::KILL));
    }
    doomed
}

/// Waits until those that were struck are dead, and removes adopted ones from the process table.
pub(crate) fn bury(doomed: &[Identity]) {
    let give_up = Instant::now() + PATIENCE;
    while doomed.iter().any(|&id| is_alive(id)) && Instant::now() < give_up {
        doomed
            .iter()
            .for_each(|&(pid, start)| kill_if_same(pid, start));
        thread::sleep(Duration::from_micros(500));
    }
    doomed.iter().for_each(|&(pid, _)| reap(pid));
}

/// Kills a tree that is one process group of that number, whose members all die with their parents:
/// a worker of our own and the solvers it started. No search of `/proc` is needed, which is what
/// makes an answer late on a machine with many processes. Returns when the root's death is on its
/// way and the members seen before are dead.
pub(crate) fn kill_group(root: i32, members: &[Identity]) {
    strike_group(root);
    bury(members);
}

/// The signal of [`kill_group`].
pub(crate) fn strike_group(root: i32) {
    signal_worker_group(root, Signal::KILL);
}

/// A signal to a process and to the group of its number.
pub(crate) fn signal_worker_group(root: i32, what: Signal) {
    if let Some(group) = Pid::from_raw(root).filter(|_| root > 1) {
        // Before the worker made its own group there is none, and nothing but the worker to tell.
        let _ = kill_process_group(group, what);
    }
    signal(root, what);
}

/// After the root of such a group was reaped: waits for the members that this process adopted, also
/// those that no scan has seen.
pub(crate) fn bury_group(root: i32) {
    let Some(group) = Pid::from_raw(root).filter(|_| root > 1) else {
        return;
    };
    let give_up = Instant::now() + PATIENCE;
    loop {
        match waitpgid(group, WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            // Dying: it was struck together with the root.
            Ok(None) if Instant::now() < give_up => thread::sleep(Duration::from_micros(500)),
            Ok(None) | Err(_) => return,
        }
    }
}

/// Kills former members of a tree whose root is dead, with everything below them. A dead root has
/// no descendants any more, so those that outlived it are found only if they were seen before.
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
