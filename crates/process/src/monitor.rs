//! The thread that owns the children: starts them, samples them, enforces limits, reaps them.
//!
//! Children are started here and nowhere else because a parent-death signal fires when the *thread*
//! that started the child ends; this thread lives as long as the supervisor.
//!
//! ```text
//! loop:
//!   wait for a command until the next sample or wall limit is due
//!   serve it: spawn · kill · a child's first process died · a stream ended
//!   when due: scan /proc for members (≤ 5 % of the time), sample memory and time of known members
//!   kill the trees whose limit is exceeded; report the limit
//!   report the end of each child that is dead and whose output has been read
//! ```

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use rustix::time::{ClockId, clock_gettime};

use crate::limits::{Limit, Limits};
use crate::output::{Captured, Delivery, Gate, Stream, read_all};
use crate::procfs;
use crate::running::{Insist, Running, start, strike};
use crate::spec::{Input, Output, Spec};
use crate::supervisor::{Cause, ChildId, Exit, ProcessEvent, SpawnError, Status};
use crate::tree;

/// Memory is sampled at least this often.
const SAMPLE: Duration = Duration::from_millis(50);
/// How often when a tree is young or near its memory limit.
const SAMPLE_CLOSE: Duration = Duration::from_millis(10);
/// A tree is young for this long.
const YOUTH: Duration = Duration::from_millis(100);
/// Scans of `/proc` take at most one part in this of the time.
const SCAN_SHARE: u32 = 20;
/// The first scan of `/proc`: many runs are over by then, and what a worker starts at once is small.
const SCAN_FIRST: Duration = Duration::from_millis(40);
/// Scans of `/proc` are at most this far apart, whatever they cost.
const SCAN_LATEST: Duration = Duration::from_millis(200);
/// When all is over, launchers that were asked to end have at most this long for it.
const LAST_PATIENCE: Duration = Duration::from_millis(300);
/// How long to wait for the end of output after a tree is gone.
const DRAIN: Duration = Duration::from_millis(500);

/// Killing at the supervisor's wall limit begins so much earlier that the trees are gone when it is
/// reached: a moment for finding all members, and the time in which the kernel takes their memory
/// back.
const LEAD: Duration = Duration::from_millis(20);
/// Memory that the kernel takes back in a second, in bytes.
const RELEASE_RATE: u64 = 4 << 30;
/// The lead is at most this part of the limit.
const LEAD_SHARE: u32 = 10;

/// The reply to a spawn: the child and its input pipe, if it has one.
pub(crate) type Spawned = Result<(ChildId, Option<Sender<Vec<u8>>>), SpawnError>;

/// What the monitor is told.
pub(crate) enum Command {
    /// Start a child.
    Spawn(Box<Spec>, Sender<Spawned>),
    /// Kill a child's tree.
    Kill(ChildId),
    /// Kill all trees.
    KillAll,
    /// A child's first process died at this moment (it is not reaped yet).
    Died(ChildId, Instant),
    /// A stream of a child ended.
    Drained(ChildId, Stream, Captured),
    /// Stop a child's tree until it is woken.
    Suspend(ChildId),
    /// Let a suspended tree go on.
    Wake(ChildId),
    /// Stop all trees; the reply comes when they were told.
    Pause(Sender<()>),
    /// Let all trees go on; they were stopped for so long.
    Resume(Duration),
    /// Kill all trees; the reply comes when the signals are sent.
    Leave(Sender<()>),
    /// Kill all trees and end.
    Shutdown,
}

/// State of the monitor thread.
pub(crate) struct Monitor {
    limits: Limits,
    executable: PathBuf,
    events: Sender<ProcessEvent>,
    gate: Arc<Gate>,
    clock: Clock,
    children: BTreeMap<ChildId, Running>,
    /// Processor time of children that were reported as ended.
    past_cpu: Duration,
    /// The supervisor's limit that was hit.
    spent: Option<Limit>,
}

/// Whether memory was got back without ending everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relief {
    Found,
    None,
}

/// When to do what.
struct Clock {
    started: Instant,
    next_sample: Instant,
    next_scan: Instant,
    next_child: u32,
}

impl Monitor {
    pub(crate) fn new(
        limits: Limits,
        executable: PathBuf,
        events: Sender<ProcessEvent>,
        gate: Arc<Gate>,
    ) -> Self {
        let now = Instant::now();
        Monitor {
            limits,
            executable,
            events,
            gate,
            clock: Clock {
                started: now,
                next_sample: now,
                next_scan: now + SCAN_FIRST,
                next_child: 0,
            },
            children: BTreeMap::new(),
            past_cpu: Duration::ZERO,
            spent: None,
        }
    }

    /// Serves `inbox` until told to shut down; `own` is the sending end for helper threads.
    pub(crate) fn run(mut self, inbox: &Receiver<Command>, own: &Sender<Command>) {
        loop {
            match inbox.recv_timeout(self.pause()) {
                Ok(Command::Shutdown) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(command) => self.serve(command, own),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.sample();
            self.enforce();
            self.report_ended();
        }
        self.kill_all(Cause::Killed);
        let until = Instant::now() + LAST_PATIENCE;
        while self.children.values().any(Running::lingers) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        for child in self.children.values_mut() {
            child.insist(Insist::Now);
            child.reap();
        }
    }

    /// How long nothing needs to be done.
    fn pause(&self) -> Duration {
        let own_end = self.own_end().filter(|_| self.spent.is_none());
        let ends = self
            .children
            .values()
            .filter_map(Running::next_deadline)
            .chain(own_end);
        let idle = self.children.is_empty();
        let sample = if idle {
            Instant::now() + Duration::from_secs(3600)
        } else {
            self.clock.next_sample
        };
        ends.fold(sample, Instant::min)
            .saturating_duration_since(Instant::now())
    }

    /// When the wall limit makes everything end.
    fn own_end(&self) -> Option<Instant> {
        let wall = self.limits.wall?;
        let memory = self.children.values().map(|c| c.memory).sum::<u64>();
        let lead = LEAD + Duration::from_millis(memory.saturating_mul(1000) / RELEASE_RATE);
        self.clock
            .started
            .checked_add(wall - lead.min(wall / LEAD_SHARE))
    }

    fn serve(&mut self, command: Command, own: &Sender<Command>) {
        match command {
            Command::Spawn(spec, reply) => {
                let spawned = self.spawn(*spec, own);
                // Nobody waits for the reply only when the supervisor is being dropped.
                let _ = reply.send(spawned);
            }
            Command::Kill(id) => self.kill(id, Cause::Killed),
            Command::KillAll => self.kill_all(Cause::Killed),
            Command::Suspend(id) => self.tell(id, Running::suspend),
            Command::Wake(id) => self.tell(id, Running::wake),
            Command::Died(id, at) => {
                if let Some(child) = self.children.get_mut(&id) {
                    child.died(at, at + DRAIN);
                }
            }
            Command::Drained(id, stream, captured) => {
                if let Some(child) = self.children.get_mut(&id) {
                    child.output[stream as usize] = Some(captured);
                }
            }
            Command::Pause(reply) => {
                self.children.values().for_each(Running::pause);
                let _ = reply.send(());
            }
            Command::Resume(pause) => self.resume(pause),
            Command::Leave(reply) => {
                let doomed = strike(self.children.values_mut(), Cause::Killed);
                let _ = reply.send(());
                tree::bury(&doomed);
            }
            Command::Shutdown => {}
        }
    }

    /// Lets all trees go on. The clocks are moved by the time in which nothing ran.
    fn resume(&mut self, pause: Duration) {
        self.clock.started += pause;
        for child in self.children.values_mut() {
            child.resume(pause);
        }
        let _ = self.events.send(ProcessEvent::Paused(pause));
    }

    fn spawn(&mut self, spec: Spec, own: &Sender<Command>) -> Spawned {
        if let Some(limit) = self.spent {
            return Err(SpawnError::LimitReached(limit));
        }
        let started = Instant::now();
        let mut process = start(&self.executable, &spec)
            .map_err(|error| SpawnError::System(error.to_string()))?;
        let id = ChildId(self.clock.next_child);
        self.clock.next_child += 1;
        let to = |stream| Delivery {
            child: id,
            stream,
            events: self.events.clone(),
            gate: Arc::clone(&self.gate),
        };
        let mut output = [Some(Captured::default()), Some(Captured::default())];
        if let Some(pipe) = process.stdout.take() {
            output[0] = None;
            start_reader(pipe, spec.output[0], to(Stream::Stdout), own.clone());
        }
        if let Some(pipe) = process.stderr.take() {
            output[1] = None;
            start_reader(pipe, spec.output[1], to(Stream::Stderr), own.clone());
        }
        let input = process.stdin.take().and_then(|pipe| feed(pipe, spec.input));
        let pid = Pid::from_child(&process);
        let own = own.clone();
        std::thread::spawn(move || {
            // The dead process stays in the table (no reaping), so its id and times stay readable.
            while let Err(rustix::io::Errno::INTR) = waitid(
                WaitId::Pid(pid),
                WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
            ) {}
            own.send(Command::Died(id, Instant::now()))
        });
        self.children.insert(
            id,
            Running::new(process, spec.containment, spec.limits, output, started),
        );
        self.clock.next_sample = Instant::now() + SAMPLE_CLOSE;
        Ok((id, input))
    }

    fn tell(&mut self, id: ChildId, what: fn(&mut Running)) {
        self.children.get_mut(&id).into_iter().for_each(what);
    }

    fn kill(&mut self, id: ChildId, cause: Cause) {
        if let Some(child) = self.children.get_mut(&id) {
            child.kill(cause);
        }
    }

    fn kill_all(&mut self, cause: Cause) {
        tree::bury(&strike(self.children.values_mut(), cause));
    }

    /// Samples when due.
    fn sample(&mut self) {
        let now = Instant::now();
        if self.children.is_empty() || now < self.clock.next_sample {
            return;
        }
        if now >= self.clock.next_scan {
            let before = time_of(ClockId::ThreadCPUTime);
            let all = procfs::all();
            self.children
                .values_mut()
                .for_each(|child| child.scan(&all));
            let cost = time_of(ClockId::ThreadCPUTime).saturating_sub(before);
            self.clock.next_scan = now + (cost * SCAN_SHARE).min(SCAN_LATEST);
        }
        self.children.values_mut().for_each(Running::sample);
        let close = self
            .children
            .values()
            .any(|c| c.started.elapsed() < YOUTH || c.is_near_memory_limit())
            || self
                .limits
                .memory
                .is_some_and(|most| self.memory() > most / 2);
        self.clock.next_sample = Instant::now() + if close { SAMPLE_CLOSE } else { SAMPLE };
    }

    /// Memory of this process and all trees but those that are being killed: they give theirs back.
    fn memory(&self) -> u64 {
        let own = procfs::memory(std::process::id() as i32).0;
        own + self
            .children
            .values()
            .filter(|c| c.cause.is_none())
            .map(|c| c.memory)
            .sum::<u64>()
    }

    /// Kills the largest tree if there is another one that can go on without it; those that are
    /// suspended come first.
    fn relieve(&mut self) -> Relief {
        let living = || {
            self.children
                .iter()
                .filter(|(_, child)| child.cause.is_none())
        };
        let largest = living()
            .max_by_key(|(_, child)| (child.is_suspended(), child.memory))
            .map(|(&id, _)| id);
        let Some(id) = largest.filter(|_| living().count() > 1) else {
            return Relief::None;
        };
        self.kill(id, Cause::Limit(Limit::Memory));
        let _ = self.events.send(ProcessEvent::LimitHit {
            child: Some(id),
            limit: Limit::Memory,
        });
        Relief::Found
    }

    /// Processor time of this process and all trees, dead ones included.
    fn cpu(&self) -> Duration {
        // Times of reaped children are counted in `past_cpu`, not in our own entry.
        let own = time_of(ClockId::ProcessCPUTime);
        own + self.past_cpu
            + self
                .children
                .values()
                .map(|c| c.usage.cpu)
                .sum::<Duration>()
    }

    fn enforce(&mut self) {
        for (&id, child) in &mut self.children {
            child.insist(Insist::WhenDue);
            if let Some(limit) = child.exceeded() {
                child.kill(Cause::Limit(limit));
                let _ = self.events.send(ProcessEvent::LimitHit {
                    child: Some(id),
                    limit,
                });
            }
        }
        if self.spent.is_none() {
            let over_wall = self.own_end().is_some_and(|end| Instant::now() >= end);
            let over_cpu = self.limits.cpu.is_some_and(|most| self.cpu() >= most);
            let over_memory = self.limits.memory.is_some_and(|most| self.memory() > most)
                && self.relieve() == Relief::None;
            self.spent = match (over_wall, over_cpu, over_memory) {
                (true, _, _) => Some(Limit::Wall),
                (_, true, _) => Some(Limit::Cpu),
                (_, _, true) => Some(Limit::Memory),
                _ => None,
            };
            if let Some(limit) = self.spent {
                let doomed = strike(self.children.values_mut(), Cause::Limit(limit));
                let _ = self
                    .events
                    .send(ProcessEvent::LimitHit { child: None, limit });
                tree::bury(&doomed);
            }
        }
    }

    /// Reaps and reports children that are dead and drained.
    fn report_ended(&mut self) {
        let ended: Vec<ChildId> = self
            .children
            .iter()
            .filter(|(_, c)| c.is_finished())
            .map(|(&id, _)| id)
            .collect();
        for id in ended {
            let Some(mut child) = self.children.remove(&id) else {
                continue;
            };
            self.past_cpu += child.usage.cpu;
            let status = child.reap();
            let [stdout, stderr] = child.output.map(Option::unwrap_or_default);
            let cause = child.cause.unwrap_or(Cause::Own);
            let exit = Exit {
                child: id,
                status,
                cause,
                usage: child.usage,
                stdout,
                stderr,
            };
            let _ = self.events.send(ProcessEvent::Exit(exit));
        }
    }
}

/// The reading of a clock.
pub(crate) fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Starts the thread that reads one stream to its end.
fn start_reader(
    pipe: impl Read + Send + 'static,
    mode: Output,
    to: Delivery,
    own: Sender<Command>,
) {
    std::thread::spawn(move || {
        let captured = read_all(pipe, mode, &to);
        own.send(Command::Drained(to.child, to.stream, captured))
    });
}

/// Starts the thread that writes a child's input; gives the sending end for piped input.
fn feed(mut pipe: impl Write + Send + 'static, input: Input) -> Option<Sender<Vec<u8>>> {
    match input {
        Input::Null => None,
        Input::Bytes(bytes) => {
            // An error means that the child reads no more; its end tells.
            std::thread::spawn(move || pipe.write_all(&bytes));
            None
        }
        Input::Piped => {
            let (sender, lines) = mpsc::channel::<Vec<u8>>();
            std::thread::spawn(move || lines.iter().try_for_each(|line| pipe.write_all(&line)));
            Some(sender)
        }
    }
}

/// The way a process ended as this crate names it.
pub(crate) fn status_of(status: std::process::ExitStatus) -> Status {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Code(code),
        (None, signal) => Status::Signal(signal.unwrap_or_default()),
    }
}
