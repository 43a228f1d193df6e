//! One child while it runs: its members, what they use, its end.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::ahead;
use crate::limits::{Limit, Limits};
use crate::monitor::status_of;
use crate::output::Captured;
use crate::procfs::{self, Process};
use crate::shim;
use crate::spec::{Containment, Input, Output, Spec};
use crate::supervisor::{Cause, Status, Usage};
use crate::tree::{self, Identity, Root};

/// A child that was started and not yet reported as ended.
pub(crate) struct Running {
    pub(crate) process: Child,
    pub(crate) started: Instant,
    pub(crate) usage: Usage,
    /// Sum of resident sets at the last sample.
    pub(crate) memory: u64,
    /// Why it was killed.
    pub(crate) cause: Option<Cause>,
    /// Standard output and error, once read to the end.
    pub(crate) output: [Option<Captured>; 2],
    tree: Tree,
    /// After the death of the first process: when to stop waiting for its output.
    drain_until: Option<Instant>,
    /// When a launcher that was asked to end is killed.
    patience_until: Option<Instant>,
    /// Since when it has been suspended.
    suspended: Option<Instant>,
}

/// How long a launcher that was asked to end has for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether patience is at its end in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Insist {
    /// When the time is over.
    WhenDue,
    /// At once.
    Now,
}

/// The members of a tree and what they may use.
struct Tree {
    /// Process id of the first process (the guard or the worker); valid until reaped.
    root: i32,
    containment: Containment,
    limits: Limits,
    /// All processes seen below the root in the last scan.
    members: Vec<Identity>,
}

impl Tree {
    /// Sends a signal to the root, its group, and the members seen in the last scan.
    fn signal(&self, what: Signal) {
        tree::signal_worker_group(self.root, what);
        for &(pid, start) in &self.members {
            if procfs::process(pid).is_some_and(|p| p.start == start) {
                tree::signal(pid, what);
            }
        }
    }
}

impl Running {
    pub(crate) fn new(
        process: Child,
        containment: Containment,
        limits: Limits,
        output: [Option<Captured>; 2],
        started: Instant,
    ) -> Self {
        let root = process.id() as i32;
        Running {
            process,
            started,
            usage: Usage::default(),
            memory: 0,
            cause: None,
            output,
            tree: Tree {
                root,
                containment,
                limits,
                members: Vec::new(),
            },
            drain_until: None,
            patience_until: None,
            suspended: None,
        }
    }

    /// When something must be done about this child at the latest.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        match self.drain_until.or(self.patience_until) {
            Some(at) => Some(at),
            None => self
                .tree
                .limits
                .wall
                .map(|w| self.started + w)
                .filter(|_| self.cause.is_none()),
        }
    }

    /// Finds the members of the tree.
    pub(crate) fn scan(&mut self, all: &[Process]) {
        if self.drain_until.is_none() {
            let found = procfs::descendants(all, self.tree.root);
            self.tree.members = found
                .iter()
                .filter(|p| !p.is_dead())
                .map(|p| (p.pid, p.start))
                .collect();
        }
    }

    /// Measures the known members.
    pub(crate) fn sample(&mut self) {
        if self.drain_until.is_some() {
            return;
        }
        let root = (self.tree.containment == Containment::Worker).then_some(self.tree.root);
        let (mut now, mut highest) = (0, 0);
        for pid in self.tree.members.iter().map(|m| m.0).chain(root) {
            let (resident, peak) = procfs::memory(pid);
            now += resident;
            highest = highest.max(peak);
        }
        self.memory = now;
        self.usage.peak_memory = self.usage.peak_memory.max(now).max(highest);
        let times = self
            .tree
            .members
            .iter()
            .filter_map(|&(pid, start)| procfs::process(pid).filter(|p| p.start == start));
        let ticks: u64 = times
            .chain(procfs::process(self.tree.root))
            .map(|p| p.ticks)
            .sum();
        self.usage.cpu = self.usage.cpu.max(procfs::ticks_to_duration(ticks));
    }

    /// Whether more than half of the allowed memory is used.
    pub(crate) fn is_near_memory_limit(&self) -> bool {
        self.tree
            .limits
            .memory
            .is_some_and(|most| self.memory > most / 2)
    }

    /// The limit of its own that is exceeded, unless it is already dying.
    pub(crate) fn exceeded(&self) -> Option<Limit> {
        if self.cause.is_some() || self.drain_until.is_some() {
            return None;
        }
        let limits = self.tree.limits;
        if limits
            .wall
            .is_some_and(|most| self.started.elapsed() >= most)
        {
            Some(Limit::Wall)
        } else if limits.cpu.is_some_and(|most| self.usage.cpu >= most) {
            Some(Limit::Cpu)
        } else if limits.memory.is_some_and(|most| self.memory > most) {
            Some(Limit::Memory)
        } else {
            None
        }
    }

    /// Kills the whole tree; its first process stays unreaped. A launcher is asked first.
    pub(crate) fn kill(&mut self, cause: Cause) {
        match self.tree.containment {
            Containment::Worker => {
                if let Some((root, members)) = self.doom(cause, None) {
                    tree::kill_group(root, &members);
                }
            }
            Containment::Guarded => {
                if let Some((root, members)) = self.doom(cause, Some(&procfs::all())) {
                    tree::kill(root, Root::Kill, &members);
                }
            }
            Containment::Launcher => self.ask_to_end(cause),
        }
    }

    /// Tells a launcher to end what it started, and itself.
    fn ask_to_end(&mut self, cause: Cause) {
        if let Some((root, _)) = self.doom(cause, None) {
            tree::signal(root, Signal::TERM);
            self.patience_until = Some(Instant::now() + PATIENCE);
        }
    }

    /// Whether it was asked to end and is still there.
    pub(crate) fn lingers(&self) -> bool {
        let alive = || procfs::process(self.tree.root).is_some_and(|p| !p.is_dead());
        self.patience_until.is_some() && self.drain_until.is_none() && alive()
    }

    /// Kills a launcher that does not end although it was asked to; `now` or when it is time.
    pub(crate) fn insist(&mut self, when: Insist) {
        let over = |until: Instant| when == Insist::Now || until <= Instant::now();
        if self.patience_until.is_some_and(over) {
            self.patience_until = None;
            self.scan(&procfs::all());
            tree::strike_group(self.tree.root);
            tree::kill(self.tree.root, Root::Kill, &self.tree.members);
        }
    }

    /// Stops the whole tree.
    pub(crate) fn pause(&self) {
        self.tree.signal(Signal::STOP);
    }

    /// Lets the tree go on, as if it had been started so much later. One that is suspended stays so,
    /// and its pause goes on.
    pub(crate) fn resume(&mut self, pause: Duration) {
        if self.suspended.is_none() {
            self.started += pause;
            self.tree.signal(Signal::CONT);
        }
    }

    /// Stops the tree until it is woken, unless it is dead or dying.
    pub(crate) fn suspend(&mut self) {
        if self.cause.is_none() && self.drain_until.is_none() && self.suspended.is_none() {
            self.suspended = Some(Instant::now());
            self.tree.signal(Signal::STOP);
        }
    }

    /// Lets a suspended tree go on, as if it had been started so much later.
    pub(crate) fn wake(&mut self) {
        if let Some(since) = self.suspended.take() {
            self.started += since.elapsed();
            self.tree.signal(Signal::CONT);
        }
    }

    pub(crate) fn is_suspended(&self) -> bool {
        self.suspended.is_some()
    }

    /// Notes why it is killed and what it used until now. Gives its root and its members (those of
    /// the last scan when there is no new one), unless it is dead or dying already.
    fn doom(&mut self, cause: Cause, all: Option<&[Process]>) -> Option<(i32, Vec<Identity>)> {
        if self.cause.is_some() || self.drain_until.is_some() {
            return None;
        }
        self.cause = Some(cause);
        if let Some(all) = all {
            self.scan(all);
        }
        self.sample();
        Some((self.tree.root, self.tree.members.clone()))
    }

    /// The first process died: whatever it left behind is killed.
    pub(crate) fn died(&mut self, at: Instant, drain_until: Instant) {
        let end = self.suspended.map_or(at, |since| since.min(at));
        self.usage.wall = end.saturating_duration_since(self.started);
        let ticks = procfs::process(self.tree.root).map_or(0, |p| p.ticks);
        self.usage.cpu = self.usage.cpu.max(procfs::ticks_to_duration(ticks));
        if self.tree.containment == Containment::Launcher {
            // What it left behind on this machine is in its group.
            tree::strike_group(self.tree.root);
        }
        tree::kill_strays(&self.tree.members);
        self.memory = 0;
        self.drain_until = Some(drain_until.max(Instant::now() + Duration::from_millis(50)));
    }

    /// Whether it is dead and its output read, or waited for long enough.
    pub(crate) fn is_finished(&self) -> bool {
        let drained = self.output.iter().all(Option::is_some);
        self.drain_until
            .is_some_and(|at| drained || Instant::now() >= at)
    }

    /// Removes the dead process from the table and tells how it ended.
    pub(crate) fn reap(&mut self) -> Status {
        let status = self.process.wait().map_or(Status::Signal(0), status_of);
        if self.tree.containment != Containment::Guarded {
            tree::bury_group(self.tree.root);
        }
        status
    }
}

/// Sends the death signal to all these trees; gives the processes to [`tree::bury`]. Workers come
/// first: they need no search.
pub(crate) fn strike<'r>(
    children: impl Iterator<Item = &'r mut Running>,
    cause: Cause,
) -> Vec<Identity> {
    let (launchers, children): (Vec<_>, Vec<_>) =
        children.partition(|child| child.tree.containment == Containment::Launcher);
    for launcher in launchers {
        launcher.ask_to_end(cause);
    }
    let (workers, others): (Vec<_>, Vec<_>) = children
        .into_iter()
        .partition(|child| child.tree.containment == Containment::Worker);
    let mut doomed = Vec::new();
    for worker in workers {
        if let Some((root, members)) = worker.doom(cause, None) {
            tree::strike_group(root);
            doomed.extend(members);
        }
    }
    if others.is_empty() {
        return doomed;
    }
    let all = procfs::all();
    let (roots, members): (Vec<i32>, Vec<Vec<Identity>>) = others
        .into_iter()
        .filter_map(|child| child.doom(cause, Some(&all)))
        .unzip();
    doomed.extend(tree::strike(&roots, Root::Kill, &members.concat()));
    doomed
}

/// The environment variable that glibc reads its settings from.
const ALLOCATOR_VARIABLE: &str = "GLIBC_TUNABLES";
/// For workers, which live for a moment or fill much memory: large pages, memory from the system in large
/// pieces that are kept for the next use, and one heap for all threads (one of them does the work). In runs
/// of a tenth of a second half of the time in the kernel went into memory, page by page.
const ALLOCATOR_SETTINGS: &str = "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:\
     glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=536870912:glibc.malloc.arena_max=1";

/// The first process of a child's tree: the one that was started ahead, or a new one.
pub(crate) fn start(executable: &Path, spec: &Spec) -> io::Result<Child> {
    ahead::take(executable, spec).map_or_else(|| spawned(executable, spec), Ok)
}

/// Starts the first process of a child's tree.
pub(crate) fn spawned(executable: &Path, spec: &Spec) -> io::Result<Child> {
    let me = std::process::id().to_string();
    let mut command = Command::new(executable);
    match spec.containment {
        Containment::Guarded => {
            let space = spec
                .address_space
                .map_or_else(|| "-".to_owned(), |bytes| bytes.to_string());
            command.args([shim::GUARD, &me, &space]).arg(&spec.program);
            command.env_remove(shim::PARENT_VARIABLE);
        }
        Containment::Worker => {
            command.env(shim::PARENT_VARIABLE, me);
            if std::env::var_os(ALLOCATOR_VARIABLE).is_none() {
                command.env(ALLOCATOR_VARIABLE, ALLOCATOR_SETTINGS);
            }
        }
        Containment::Launcher => {
            command.args([shim::EXEC, &me, "-"]).arg(&spec.program);
            // What it starts is no child of this process.
            command.env_remove(shim::PARENT_VARIABLE).process_group(0);
        }
    }
    command.args(&spec.arguments);
    let stdio = |output| {
        if output == Output::Discard {
            Stdio::null()
        } else {
            Stdio::piped()
        }
    };
    command
        .stdout(stdio(spec.output[0]))
        .stderr(stdio(spec.output[1]));
    command.stdin(if spec.input == Input::Null {
        Stdio::null()
    } else {
        Stdio::piped()
    });
    command.spawn()
}
