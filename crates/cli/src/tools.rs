//! Where the solver executables are.
//!
//! ```text
//! named by FORETELL_Z3
//!   ▸ beside the executable, by its real path:  ../libexec/foretell/z3   the archive
//!                                               ../foretell/_bin/z3      the Python package
//!                                               ../../.z3/bin/z3         a checkout (target/release)
//!   ▸ in PATH
//! ```

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use foretell_process::find_program;

/// Z3.
///
/// # Errors
/// When there is none: without it no proof of safety can be checked.
pub(crate) fn z3() -> Result<PathBuf, String> {
    find("FORETELL_Z3", "z3")
}

/// cvc5, likewise.
///
/// # Errors
/// When there is none.
pub(crate) fn cvc5() -> Result<PathBuf, String> {
    find("FORETELL_CVC5", "cvc5")
}

fn find(variable: &str, name: &str) -> Result<PathBuf, String> {
    let named = env::var_os(variable).filter(|v| !v.is_empty());
    if let Some(named) = named {
        // Whoever names one wants this one and no other.
        return find_program(&named).map_err(|error| format!("{variable}: {error}"));
    }
    let beside = || {
        let executable = env::current_exe().ok()?.canonicalize().ok()?;
        beside(executable.parent()?, name)
    };
    let in_path = || find_program(OsStr::new(name)).ok();
    beside().or_else(in_path).ok_or_else(|| {
        format!("no {name} executable was found: put one in PATH or name it with {variable}")
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
