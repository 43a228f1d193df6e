//! A script put to a solver process, for those who only show what comes of it.

use std::path::Path;
use std::time::Duration;

use foretell_solver::ScriptProcess;

use crate::worker::oracles::contained;

/// What Z3 prints for a script within a time, as far as it gets; nothing when it cannot be started.
pub fn printed_by_z3(program: &Path, script: &str, limit: Duration) -> String {
    let process = contained(ScriptProcess::z3(program.to_owned()), None);
    let printed = process.output(&[], script, limit);
    printed.unwrap_or_default()
}
