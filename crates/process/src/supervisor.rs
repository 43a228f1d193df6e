//! The handle on a set of children: start, talk, wait for what happens, kill.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::limits::{Limit, Limits};
use crate::monitor::{Command, Monitor};
use crate::output::{Captured, Gate, Stream};
use crate::shim;
use crate::signals::{SignalWatch, Stop, stop_myself};
use crate::spec::{Containment, Spec};

/// Names a child of one supervisor; numbers count up in the order of starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChildId(pub u32);

/// What a process tree used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// From start to the end of its first process.
    pub wall: Duration,
    /// Processor time of all its members.
    pub cpu: Duration,
    /// The highest sum of resident sets seen, in bytes.
    pub peak_memory: u64,
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It gave this exit code.
    Code(i32),
    /// It died of this signal.
    Signal(i32),
}

/// Why a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// By itself.
    Own,
    /// [`Supervisor::kill`] or [`Supervisor::kill_all`].
    Killed,
    /// A limit of its own or of the supervisor.
    Limit(Limit),
}

/// The end of a child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exit {
    /// Which child.
    pub child: ChildId,
    /// How it ended.
    pub status: Status,
    /// Why it ended.
    pub cause: Cause,
    /// What its tree used.
    pub usage: Usage,
    /// Captured standard output; empty when not captured.
    pub stdout: Captured,
    /// Captured standard error; empty when not captured.
    pub stderr: Captured,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProcessEvent {
    /// A child wrote a line, given without its line end.
    Line {
        /// Which child.
        child: ChildId,
        /// On which stream.
        stream: Stream,
        /// The line, invalid UTF-8 replaced.
        text: String,
    },
    /// A child wrote a line too long to be delivered.
    Overlong {
        /// Which child.
        child: ChildId,
        /// On which stream.
        stream: Stream,
        /// Its length.
        bytes: u64,
    },
    /// A child ended; nothing more comes from it.
    Exit(Exit),
    /// A limit was hit; what it concerns has been killed.
    LimitHit {
        /// The child whose own limit it was; `None`: the supervisor's limit, all children are dead.
        child: Option<ChildId>,
        /// Which limit.
        limit: Limit,
    },
    /// This process and all children were stopped for so long (SIGTSTP, then SIGCONT). No limit counts it.
    Paused(Duration),
    /// SIGINT, SIGTERM or SIGHUP came. The children still run.
    Interrupted {
        /// The signal's number.
        signal: i32,
    },
}

/// Whether the supervisor handles SIGINT, SIGTERM and SIGHUP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignalPolicy {
    /// The first signal sets the stop flag and is an event; one half a second later ends the process at
    /// once. SIGTSTP stops children and clock as well.
    Watch,
    /// Signals are left alone.
    Ignore,
}

/// How to make a supervisor.
#[derive(Clone, Debug)]
pub struct Options {
    limits: Limits,
    executable: PathBuf,
    signals: SignalPolicy,
}

impl Options {
    /// No limits, signals left alone, the running executable as shim (it must call
    /// [`crate::shim::dispatch`]).
    ///
    /// # Errors
    /// When the system does not tell the running executable (no `/proc`).
    pub fn new() -> io::Result<Self> {
        std::fs::metadata(shim::OWN_EXECUTABLE)?;
        Ok(Options {
            limits: Limits::none(),
            executable: shim::OWN_EXECUTABLE.into(),
            signals: SignalPolicy::Ignore,
        })
    }

    /// The same with limits on this process and everything below it.
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// The same with another executable as shim and worker.
    pub fn executable(self, executable: impl Into<PathBuf>) -> Self {
        Options {
            executable: executable.into(),
            ..self
        }
    }

    /// The same with this treatment of signals.
    pub fn signals(self, signals: SignalPolicy) -> Self {
        Options { signals, ..self }
    }
}

/// Why a child could not be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpawnError {
    /// No such program.
    NotFound(String),
    /// The program is not an executable file.
    NotExecutable(String),
    /// The supervisor's own limit was hit; it starts nothing any more.
    LimitReached(Limit),
    /// The system refused.
    System(String),
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpawnError::NotFound(name) => write!(f, "no program \"{name}\""),
            SpawnError::NotExecutable(name) => write!(f, "\"{name}\" is not executable"),
            SpawnError::LimitReached(limit) => write!(f, "limit reached: {limit}"),
            SpawnError::System(reason) => write!(f, "cannot start a process: {reason}"),
        }
    }
}

impl std::error::Error for SpawnError {}

/// Starts children and tells what happens to them.
pub struct Supervisor {
    commands: Sender<Command>,
    events: Receiver<ProcessEvent>,
    gate: Arc<Gate>,
    /// Input pipes of children that have one.
    inputs: BTreeMap<ChildId, Sender<Vec<u8>>>,
    /// Children whose `Exit` has not been taken yet.
    live: usize,
    stop: Stop,
    monitor: Option<JoinHandle<()>>,
    _signals: Option<SignalWatch>,
}

impl Supervisor {
    /// Starts the clock of the supervisor's limits.
    ///
    /// # Errors
    /// When the system refuses threads, signal handlers or the subreaper attribute.
    pub fn new(options: Options) -> io::Result<Self> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let (commands, inbox) = mpsc::channel();
        let (outbox, events) = mpsc::channel();
        let gate = Arc::new(Gate::default());
        let stop = Stop::default();
        let signals = match options.signals {
            SignalPolicy::Ignore => None,
            SignalPolicy::Watch => {
                let outbox = outbox.clone();
                let on_signal =
                    move |signal| drop(outbox.send(ProcessEvent::Interrupted { signal }));
                let pause = pausing(commands.clone());
                let pause: Option<Box<dyn Fn() + Send>> = Some(Box::new(pause));
                Some(SignalWatch::with_pause(stop.clone(), on_signal, pause)?)
            }
        };
        let monitor = Monitor::new(
            options.limits,
            options.executable,
            outbox,
            Arc::clone(&gate),
        );
        let own = commands.clone();
        let monitor = std::thread::Builder::new()
            .name("process-monitor".into())
            .spawn(move || monitor.run(&inbox, &own))?;
        Ok(Supervisor {
            commands,
            events,
            gate,
            inputs: BTreeMap::new(),
            live: 0,
            stop,
            monitor: Some(monitor),
            _signals: signals,
        })
    }

    /// Starts a child.
    ///
    /// # Errors
    /// When the program does not exist, the system refuses, or the supervisor's limit was hit.
    pub fn spawn(&mut self, mut spec: Spec) -> Result<ChildId, SpawnError> {
        if spec.containment != Containment::Worker {
            spec.program = find_program(&spec.program)?.into_os_string();
        }
        let gone = || SpawnError::System("the monitor has ended".to_owned());
        let (reply, answer) = mpsc::channel();
        self.commands
            .send(Command::Spawn(Box::new(spec), reply))
            .map_err(|_| gone())?;
        let (child, input) = answer.recv().map_err(|_| gone())??;
        self.live += 1;
        if let Some(input) = input {
            self.inputs.insert(child, input);
        }
        Ok(child)
    }

    /// Sends a line to a child that was started with a pipe; the line end is added. Never blocks.
    /// What a child that has ended would have read is lost without notice: its `Exit` tells.
    pub fn send_line(&mut self, child: ChildId, line: &str) {
        if let Some(input) = self.inputs.get(&child) {
            let _ = input.send(format!("{line}\n").into_bytes());
        }
    }

    /// Sends bytes to a child that was started with a pipe; otherwise like
    /// [`Supervisor::send_line`].
    pub fn send_bytes(&mut self, child: ChildId, bytes: Vec<u8>) {
        if let Some(input) = self.inputs.get(&child) {
            let _ = input.send(bytes);
        }
    }

    /// Closes a child's input pipe after what was sent.
    pub fn close_input(&mut self, child: ChildId) {
        self.inputs.remove(&child);
    }

    /// The next thing that happens; `None` at the deadline, or when no child is left.
    pub fn next_event(&mut self, deadline: Option<Instant>) -> Option<ProcessEvent> {
        let event = if self.live == 0 {
            self.events.try_recv().ok()?
        } else {
            match deadline {
                None => self.events.recv().ok()?,
                Some(at) => match self
                    .events
                    .recv_timeout(at.saturating_duration_since(Instant::now()))
                {
                    Ok(event) => event,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
                },
            }
        };
        match &event {
            ProcessEvent::Line { text, .. } => self.gate.leave(text.len()),
            ProcessEvent::Exit(exit) => {
                self.live -= 1;
                self.inputs.remove(&exit.child);
            }
            _ => {}
        }
        Some(event)
    }

    /// Kills a child and everything it started. Its `Exit` follows. Does not wait.
    pub fn kill(&mut self, child: ChildId) {
        let _ = self.commands.send(Command::Kill(child));
    }

    /// Kills all children and everything they started. Their `Exit`s follow. Does not wait.
    pub fn kill_all(&mut self) {
        let _ = self.commands.send(Command::KillAll);
    }

    /// Stops a child and everything it started, until it is woken. Its memory stays in use, and is what
    /// the supervisor's limit on memory takes back first; the time counts against no limit of its own.
    /// What is sent to it waits.
    pub fn suspend(&mut self, child: ChildId) {
        let _ = self.commands.send(Command::Suspend(child));
    }

    /// Lets a suspended child go on.
    pub fn wake(&mut self, child: ChildId) {
        let _ = self.commands.send(Command::Wake(child));
    }

    /// How many children have not been seen to end.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Kills all children and everything they started, and does not wait for their end: what they had is
    /// given back by the kernel, which takes some milliseconds, and a thread of its own takes them out of
    /// the process table. When this returns, no process of this crate's own workers runs any instruction
    /// more that it could be stopped in.
    pub fn leave(mut self) {
        let (reply, answer) = mpsc::channel();
        if self.commands.send(Command::Leave(reply)).is_ok() {
            // Without an answer there is no monitor, hence no child.
            let _ = answer.recv();
        }
        self.monitor = None;
    }

    /// The flag that signals set.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.inputs.clear();
        self.gate.open();
        let _ = self.commands.send(Command::Shutdown);
        if let Some(monitor) = self.monitor.take() {
            let _ = monitor.join();
        }
    }
}

/// Stops the children, then this process; when it goes on, so do they.
fn pausing(commands: Sender<Command>) -> impl Fn() + Send {
    move || {
        let (reply, answer) = mpsc::channel();
        if commands.send(Command::Pause(reply)).is_ok() {
            // Without an answer there is no monitor, hence no child.
            let _ = answer.recv();
        }
        let pause = stop_myself();
        let _ = commands.send(Command::Resume(pause));
    }
}

/// Looks a program up: a name with a slash is a path, another one is sought in `PATH`.
///
/// # Errors
/// When there is no such program, or the file may not be executed.
pub fn find_program(name: &OsStr) -> Result<PathBuf, SpawnError> {
    let shown = || name.to_string_lossy().into_owned();
    let is_executable = |path: &Path| {
        std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    let path = Path::new(name);
    if name.as_encoded_bytes().contains(&b'/') {
        return match std::fs::metadata(path) {
            Err(_) => Err(SpawnError::NotFound(shown())),
            Ok(_) if is_executable(path) => Ok(path.to_owned()),
            Ok(_) => Err(SpawnError::NotExecutable(shown())),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .map(|f| f.join(path))
        .find(|p| is_executable(p));
    found
        .filter(|_| !name.is_empty())
        .ok_or_else(|| SpawnError::NotFound(shown()))
}
