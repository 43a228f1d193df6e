//! Child processes with limits: clock, memory, no orphans.
//!
//! ```text
//! supervisor (this process) ── monitor thread: starts, samples /proc, kills, reaps
//!   ├─ Guarded:  EXE __guard … ── EXE __exec … ⇒ exec CMD ── whatever CMD starts
//!   └─ Worker:   EXE args…  (our own executable; calls `shim::enter_worker` first)
//! ```
//!
//! # Use
//!
//! ```no_run
//! use foretell_process::{Limits, Options, ProcessEvent, Spec, Supervisor};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // First statement of the executable's `main`: serve the hidden subcommands.
//! if let Some(code) = foretell_process::shim::dispatch() {
//!     std::process::exit(code);
//! }
//! let mut supervisor = Supervisor::new(Options::new()?.limits(Limits::none().wall_seconds(30)))?;
//! let worker = supervisor.spawn(Spec::worker(["worker", "--engine", "bmc"]).piped().lines())?;
//! supervisor.send_line(worker, "{\"start\":1}");
//! while let Some(event) = supervisor.next_event(None) {
//!     match event {
//!         ProcessEvent::Line { child, text, .. } => drop((child, text)),
//!         ProcessEvent::Exit(exit) => drop(exit.usage),
//!         ProcessEvent::LimitHit { .. } => {} // everything concerned is already dead
//!         ProcessEvent::Interrupted { .. } => supervisor.kill_all(),
//!         ProcessEvent::Paused(_) => {} // the user stopped and continued us: not counted
//!         ProcessEvent::Overlong { child, .. } => supervisor.kill(child),
//!     }
//! }
//! # Ok(()) }
//! ```
//!
//! # What is kept
//!
//! * The supervisor's limits ([`Options::limits`]) count this process and everything below it;
//!   a child's own limits ([`Spec::limits`]) count that child's tree. The monitor thread enforces
//!   both whether or not anybody calls [`Supervisor::next_event`].
//! * A limit kills first and reports afterwards: [`ProcessEvent::LimitHit`], then one
//!   [`ProcessEvent::Exit`] per child, which carries [`Cause::Limit`]. The killing for the
//!   supervisor's wall limit begins a little before it (20 ms and a second for each 4 GB, at most a
//!   tenth of the limit), so that the memory is given back when it is reached.
//! * The supervisor's limit on memory kills the largest tree first, as if it were that child's own
//!   limit, and everything only when a single tree is left.
//! * Every spawned child yields exactly one `Exit`, after all its lines.
//! * `next_event` gives `None` at the deadline, and at once when no child is left to wait for.
//! * A tree is killed as a whole: all its members are stopped until no new one appears, then
//!   killed; members that changed their group or session are found by descent, those whose parent
//!   died are adopted by the guard (a child subreaper).
//! * Children die when this process dies, even by SIGKILL: by parent-death signals.
//! * Where signals are watched, SIGTSTP (Ctrl-Z) stops all children before this process stops, SIGCONT
//!   lets them go on, and the time between counts against no limit ([`ProcessEvent::Paused`]).
//! * A child can be suspended and woken ([`Supervisor::suspend`]): it is stopped as by Ctrl-Z, dies like
//!   any other, and is the first to be killed where memory is short.
//! * Dropping the supervisor kills all children and returns when they are gone.
//!
//! # Limits of the method
//!
//! Linux only. Memory is the sum of resident sets, sampled every 10 to 50 ms; pages shared between
//! children count once for each of them. CPU time has the kernel's tick (usually 10 ms).

mod ahead;
pub mod limits;
pub mod machine;
mod monitor;
mod once;
mod output;
mod parent;
mod procfs;
pub mod reading;
mod running;
pub mod shim;
mod signals;
mod spec;
mod supervisor;
mod tree;
mod words;

pub use ahead::start_ahead;
pub use limits::{Limit, Limits};
pub use once::{Said, run_once};
pub use output::{Captured, Stream};
pub use parent::end_with_client;
pub use signals::Stop;
pub use spec::{Input, Output, Spec};
pub use supervisor::{
    Cause, ChildId, Exit, Options, ProcessEvent, SignalPolicy, SpawnError, Status, Supervisor,
    Usage, find_program,
};
pub use words::split_words;
