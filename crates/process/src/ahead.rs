//! A worker that is started before there is work for it.
//!
//! ```text
//! start(S)     from the main thread: a child for S, which is kept
//! take(E, S)   the kept child, if it was started for S by executable E
//! ```
//!
//! A process takes its time to begin, and this one has other things to do until it knows what to ask of the
//! first worker. Nobody waits for a child that is never taken: it dies with the thread that started it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, PoisonError};

use crate::running::spawned;
use crate::shim::OWN_EXECUTABLE;
use crate::spec::Spec;

struct Ahead {
    executable: PathBuf,
    spec: Spec,
    child: Child,
}

static AHEAD: Mutex<Option<Ahead>> = Mutex::new(None);

/// Starts our own executable for what will be asked for as this.
///
/// # Errors
/// When it cannot be started.
pub fn start_ahead(spec: Spec) -> io::Result<()> {
    let executable = PathBuf::from(OWN_EXECUTABLE);
    let child = spawned(&executable, &spec)?;
    let ahead = Ahead {
        executable,
        spec,
        child,
    };
    *AHEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(ahead);
    Ok(())
}

/// The child that was started ahead for this.
pub(crate) fn take(executable: &Path, spec: &Spec) -> Option<Child> {
    let mut kept = AHEAD.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |ahead: &mut Ahead| ahead.executable == executable && ahead.spec == *spec;
    kept.take_if(fits).map(|ahead| ahead.child)
}
