//! Executables: that of the workers, and the solvers.
//!
//! ```text
//! workers   this executable, if it serves them (`serve`)
//!           else the one that is named: by the caller, by FORETELL, else `foretell` in PATH
//! a solver  named by FORETELL_Z3, FORETELL_CVC5
//!   ▸ beside the executable of the workers, by its real path:
//!       ../libexec/foretell/z3   the archive
//!       ../foretell/_bin/z3      the Python package
//!       ../../.z3/bin/z3         a checkout (target/release)
//!   ▸ in PATH
//! ```

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use foretell_driver::protocol::Tools;
use foretell_driver::worker::{self, End, Home};
use foretell_driver::{Error, Host, Remote};
use foretell_process::{find_program, shim};
use sha2::{Digest, Sha256};

use crate::check::Elsewhere;

/// The argument that makes an executable a worker.
pub(crate) const WORKER: &str = "__worker";

/// So long an answer may wait to be read. Whoever reads it ends its worker; the end of a process takes
/// milliseconds of a processor, and would take them from the reader.
const READ: Duration = Duration::from_millis(20);

/// Whether [`serve`] was called.
static SERVES: AtomicBool = AtomicBool::new(false);

/// Does the work of a child process when this process was started as one: gives the code to exit with.
/// Otherwise gives `None`, and from then on checks start this executable instead of `foretell`. To be
/// called first in `main`.
pub fn serve() -> Option<ExitCode> {
    if let Some(code) = shim::dispatch() {
        return Some(ExitCode::from(u8::try_from(code).unwrap_or(1)));
    }
    if env::args_os().nth(1).is_some_and(|word| word == WORKER) {
        let work = || match shim::has_deep_stack() {
            true => worker::run_here(io::stdin(), io::stdout(), home()),
            false => worker::run(io::stdin(), io::stdout(), home()),
        };
        return Some(match shim::enter_worker().and_then(|()| work()) {
            Ok(End::Answered) => {
                thread::sleep(READ);
                ExitCode::SUCCESS
            }
            Ok(End::Open) => ExitCode::SUCCESS,
            Err(error) => {
                // The supervisor keeps it for its report.
                let _ = writeln!(io::stderr(), "foretell: {error}");
                ExitCode::FAILURE
            }
        });
    }
    shim::deepen_stacks();
    SERVES.store(true, Ordering::SeqCst);
    None
}

/// Starts the first worker of this executable, if it can be one: it begins while its work is still being made
/// out. To be called from the thread that the process began with; what is never used ends with it.
pub fn start_ahead() {
    if serves() {
        // Without it the first worker is started when there is work for it.
        let _ = foretell_process::start_ahead(Host::own(vec![WORKER.to_owned()]).worker());
    }
}

/// Whether this executable can be a worker.
pub(crate) fn serves() -> bool {
    SERVES.load(Ordering::SeqCst)
}

/// The executable of the workers; `None`: this one.
pub(crate) fn program(named: Option<&Path>) -> Result<Option<PathBuf>, Error> {
    let variable = env::var_os("FORETELL").filter(|v| !v.is_empty());
    let found = match (named, variable) {
        (Some(named), _) => find_program(named.as_os_str()),
        (None, _) if serves() => return Ok(None),
        (None, Some(variable)) => find_program(&variable),
        (None, None) => find_program(OsStr::new("foretell")),
    };
    found.map(Some).map_err(|error| {
        let advice = "name the executable of foretell with FORETELL, or call foretell_lib::serve()";
        Error::Usage(format!("{error}: {advice}"))
    })
}

/// What a worker of this executable knows of its machine.
pub(crate) fn home() -> Home {
    let tools = || Tools {
        z3: z3(None).ok(),
        cvc5: None,
    };
    Home {
        tools,
        build: |tools| build(None, tools),
    }
}

/// Names a build by the contents of its executables: that of the workers (`None`: this one), and Z3.
fn build(workers: Option<&Path>, tools: &Tools) -> String {
    let own = Path::new("/proc/self/exe");
    let z3 = tools.z3.as_deref().map(hash);
    let z3 = z3.unwrap_or_else(|| "no-z3".to_owned());
    format!("{}-{z3}", hash(workers.unwrap_or(own)))
}

/// The beginning of the hash of a file.
fn hash(path: &Path) -> String {
    let mut hasher = Sha256::new();
    match std::fs::File::open(path).and_then(|mut file| io::copy(&mut file, &mut hasher)) {
        Ok(_) => {
            let digest = hasher.finalize();
            let digits = digest.iter().take(8).map(|b| format!("{b:02x}"));
            digits.collect()
        }
        Err(_) => "unreadable".to_owned(),
    }
}

/// Workers on other machines, with every name resolved. The executable there has the path that it has
/// here, unless it is named.
pub(crate) fn remote(
    elsewhere: &Elsewhere,
    workers: Option<&Path>,
    tools: &Tools,
) -> Result<Remote, Error> {
    let own = || env::current_exe().map_err(|e| Error::System(e.to_string()));
    let program = match (&elsewhere.program, workers) {
        (Some(named), _) => named.clone(),
        (None, Some(workers)) => workers.to_owned(),
        (None, None) => own()?,
    };
    let mut command = elsewhere.launcher.clone();
    command.extend([program.to_string_lossy().into_owned(), WORKER.to_owned()]);
    Ok(Remote {
        command,
        jobs: elsewhere.jobs,
        build: build(workers, tools),
    })
}

/// Z3, for workers with this executable.
///
/// # Errors
/// When there is none: without it no proof of safety can be checked.
pub fn z3(workers: Option<&Path>) -> Result<PathBuf, Error> {
    find("FORETELL_Z3", "z3", workers)
}

/// cvc5, likewise.
///
/// # Errors
/// When there is none.
pub fn cvc5(workers: Option<&Path>) -> Result<PathBuf, Error> {
    find("FORETELL_CVC5", "cvc5", workers)
}

fn find(variable: &str, name: &str, workers: Option<&Path>) -> Result<PathBuf, Error> {
    let named = env::var_os(variable).filter(|v| !v.is_empty());
    if let Some(named) = named {
        // Whoever names one wants this one and no other.
        let wrong = |error| Error::Usage(format!("{variable}: {error}"));
        return find_program(&named).map_err(wrong);
    }
    let beside = || {
        let executable = workers.map_or_else(|| env::current_exe().ok(), |p| Some(p.to_owned()));
        beside(executable?.canonicalize().ok()?.parent()?, name)
    };
    let in_path = || find_program(OsStr::new(name)).ok();
    beside().or_else(in_path).ok_or_else(|| {
        let words = "executable was found: put one in PATH or name it with";
        Error::Usage(format!("no {name} {words} {variable}"))
    })
}

/// A solver at one of the places where it lies beside the folder of the executable.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let above = folder.parent()?;
    let places = [
        above.join("libexec/foretell").join(name),
        above.join("foretell/_bin").join(name),
        above.parent()?.join(format!(".{name}/bin/{name}")),
    ];
    places.into_iter().find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::beside;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_solver_is_found_in_each_layout() {
        let root = std::env::temp_dir().join(format!("foretell-layouts-{}", std::process::id()));
        let layouts = [
            ("archive/bin", "archive/libexec/foretell/z3"),
            ("site/foretell.scripts", "site/foretell/_bin/z3"),
            ("checkout/target/release", "checkout/.z3/bin/z3"),
        ];
        for (executable, solver) in layouts {
            assert_eq!(beside(&root.join(executable), "z3"), None, "{solver}");
            let solver = root.join(solver);
            fs::create_dir_all(solver.parent().unwrap()).unwrap();
            fs::write(&solver, "").unwrap();
            assert_eq!(beside(&root.join(executable), "z3"), Some(solver));
        }
        assert_eq!(beside(Path::new("/"), "z3"), None);
        fs::remove_dir_all(root).unwrap();
    }
}
