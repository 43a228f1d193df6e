//! The hidden subcommands `__guard` and `__exec` of our own executable, and what a worker does
//! first.
//!
//! Process attributes that a parent cannot give to its child without `unsafe` code are set by the
//! child itself: it is our own executable, which then replaces itself by the command.
//!
//! * `EXE __guard PARENT SPACE CMD ARGS…` stays alive above the command as a child subreaper, so
//!   that every process started below it remains below it; kills all of them when the command ends,
//!   when it is told to (SIGTERM) or when its parent dies; ends in the way the command ended.
//! * `EXE __exec PARENT SPACE CMD ARGS…` asks to be killed when its parent dies, writes no core,
//!   limits its address space to `SPACE` bytes (`-`: no limit), and becomes the command.
//!
//! `PARENT` is the process id that the parent must have: if it died before the death signal was
//! asked for, the shim ends at once.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, getrlimit,
    set_child_subreaper, set_parent_process_death_signal, setrlimit, setsid, wait,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGTERM};

use crate::tree::{self, Root};

/// First argument of the guard.
pub(crate) const GUARD: &str = "__guard";
/// First argument of the launcher.
pub(crate) const EXEC: &str = "__exec";
/// Environment variable by which a worker learns its supervisor's process id.
pub(crate) const PARENT_VARIABLE: &str = "FORETELL_SUPERVISOR";
/// Path of the running executable, valid even after the file was replaced or removed.
pub(crate) const OWN_EXECUTABLE: &str = "/proc/self/exe";

/// Exit code when the command could not be started; the reason is on standard error.
pub(crate) const EXIT_CANNOT_START: i32 = 126;
/// Exit code when the supervisor was already gone.
pub(crate) const EXIT_NO_PARENT: i32 = 125;

/// Serves `__guard` and `__exec` when the process was started as one of them: gives the code to
/// exit with. Gives `None` for every other command line. To be called first in `main`.
pub fn dispatch() -> Option<i32> {
    let mut arguments = std::env::args_os().skip(1);
    let role = arguments.next()?;
    let serve = match role.to_str()? {
        GUARD => guard,
        EXEC => launch,
        _ => return None,
    };
    let outcome = Order::parse(arguments.collect()).and_then(|order| serve(&order));
    Some(outcome.unwrap_or_else(|error| {
        report(&error);
        EXIT_CANNOT_START
    }))
}

/// Makes this process a worker of the supervisor that started it as [`crate::Spec::worker`]: it
/// dies with the supervisor and writes no core. Without a supervisor (started by hand) it does
/// nothing.
///
/// # Errors
/// When the supervisor is already gone, or the system refuses.
pub fn enter_worker() -> io::Result<()> {
    let Some(parent) = std::env::var(PARENT_VARIABLE)
        .ok()
        .and_then(|v| v.parse::<i32>().ok())
    else {
        return Ok(());
    };
    own_session();
    die_with_parent(parent, Signal::KILL)?;
    no_core()
}

/// The stack of a worker: solvers recurse over terms. It is reserved, not used.
pub const DEEP_STACK: usize = 512 << 20;

/// Lets processes that this one starts have a stack of [`DEEP_STACK`] bytes, as far as the system permits: a
/// worker then works on the thread it begins with. The kernel puts a new thread of a process that has just
/// started on any processor, and where two are busy it waits beside an idle one for milliseconds.
pub fn deepen_stacks() {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    let wanted = maximum.map_or(DEEP_STACK as u64, |most| most.min(DEEP_STACK as u64));
    if current.is_some_and(|now| now < wanted) {
        let current = Some(wanted);
        // Refused: workers start a thread for their work.
        let _ = setrlimit(Resource::Stack, Rlimit { current, maximum });
    }
}

/// Whether the thread that this process began with has a stack of [`DEEP_STACK`] bytes.
pub fn has_deep_stack() -> bool {
    let current = getrlimit(Resource::Stack).current;
    current.is_none_or(|bytes| bytes >= DEEP_STACK as u64)
}

/// The program and arguments that run a command as a child of this process which dies with it, for
/// children that no [`crate::Supervisor`] starts. The thread that starts it must outlive it.
pub fn contained<A: AsRef<str>>(program: &Path, arguments: &[A]) -> (PathBuf, Vec<String>) {
    let me = getpid().as_raw_pid().to_string();
    let mut full = vec![
        EXEC.to_owned(),
        me,
        "-".to_owned(),
        program.to_string_lossy().into_owned(),
    ];
    full.extend(arguments.iter().map(|a| a.as_ref().to_owned()));
    (OWN_EXECUTABLE.into(), full)
}

/// What a shim is asked to run.
struct Order {
    parent: i32,
    address_space: Option<u64>,
    command: OsString,
    arguments: Vec<OsString>,
}

impl Order {
    fn parse(arguments: Vec<OsString>) -> io::Result<Self> {
        let malformed =
            || io::Error::new(io::ErrorKind::InvalidInput, "malformed shim command line");
        let mut rest = arguments.into_iter();
        let mut text = || {
            rest.next()
                .and_then(|a| a.into_string().ok())
                .ok_or_else(malformed)
        };
        let parent = text()?.parse().map_err(|_| malformed())?;
        let space = text()?;
        let address_space = if space == "-" {
            None
        } else {
            Some(space.parse().map_err(|_| malformed())?)
        };
        let command = rest.next().ok_or_else(malformed)?;
        Ok(Order {
            parent,
            address_space,
            command,
            arguments: rest.collect(),
        })
    }

    fn space_argument(&self) -> String {
        self.address_space
            .map_or_else(|| "-".to_owned(), |bytes| bytes.to_string())
    }
}

/// `__exec`: sets limits and becomes the command. Returns only on failure.
fn launch(order: &Order) -> io::Result<i32> {
    die_with_parent(order.parent, Signal::KILL)?;
    no_core()?;
    if let Some(bytes) = order.address_space {
        setrlimit(
            Resource::As,
            Rlimit {
                current: Some(bytes),
                maximum: Some(bytes),
            },
        )?;
    }
    let error = Command::new(&order.command).args(&order.arguments).exec();
    let name = order.command.to_string_lossy();
    Err(io::Error::new(
        error.kind(),
        format!("cannot start \"{name}\": {error}"),
    ))
}

/// Held by the guard while it starts the launcher, and for good once it kills what it started.
static STARTING: Mutex<()> = Mutex::new(());

/// `__guard`: runs the launcher, adopts orphans, ends with nothing left below.
fn guard(order: &Order) -> io::Result<i32> {
    let me = getpid().as_raw_pid();
    own_session();
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGINT, SIGHUP])?;
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            // Never released: after this nothing is started any more.
            let _lock = STARTING.lock();
            tree::kill(me, Root::Spare, &[]);
            signal_hook::low_level::exit(128 + SIGTERM);
        }
    });
    set_child_subreaper(Some(getpid()))?;
    die_with_parent(order.parent, Signal::TERM)?;
    no_core()?;
    let lock = STARTING.lock();
    let child = Command::new(OWN_EXECUTABLE)
        .args([
            EXEC.into(),
            OsString::from(me.to_string()),
            order.space_argument().into(),
        ])
        .arg(&order.command)
        .args(&order.arguments)
        .process_group(0)
        .spawn()?;
    drop(lock);
    let status = wait_for(Pid::from_child(&child));
    if has_children() {
        tree::kill(me, Root::Spare, &[]);
    }
    Ok(end_like(status?))
}

/// Reaps every child that dies until `main` does; gives its status.
fn wait_for(main: Pid) -> io::Result<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == main => return Ok(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether any process is left below: a subreaper without children has no descendants.
fn has_children() -> bool {
    while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
    !matches!(wait(WaitOptions::NOHANG), Err(rustix::io::Errno::CHILD))
}

/// Dies of the same signal, or gives the same exit code.
fn end_like(status: WaitStatus) -> i32 {
    match status.terminating_signal() {
        Some(SIGKILL) => tree::signal(getpid().as_raw_pid(), Signal::KILL),
        Some(signal) => drop(signal_hook::low_level::emulate_default_handler(signal)),
        None => return status.exit_status().unwrap_or(EXIT_CANNOT_START),
    }
    128 + status.terminating_signal().unwrap_or(SIGKILL)
}

/// Asks for `signal` at the parent's death and makes sure that the parent still lives.
fn die_with_parent(parent: i32, signal: Signal) -> io::Result<()> {
    set_parent_process_death_signal(Some(signal))?;
    if getppid().map(Pid::as_raw_pid) == Some(parent) {
        Ok(())
    } else {
        signal_hook::low_level::exit(EXIT_NO_PARENT)
    }
}

/// Leaves the session and the process group of the supervisor: a key typed at its terminal is not
/// for us, and every group of our session is of our tree.
fn own_session() {
    // Fails only for the leader of a group, which nobody makes us; then the group is our own
    // already.
    let _ = setsid();
}

/// Forbids core files.
fn no_core() -> io::Result<()> {
    Ok(setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    )?)
}

/// Writes an error to standard error; the shim has no other way to speak.
fn report(error: &io::Error) {
    use std::io::Write;
    let _ = writeln!(io::stderr(), "foretell: {error}");
}
