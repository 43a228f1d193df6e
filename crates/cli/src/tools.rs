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
pub(crate) fn z3() -> Option<PathBuf> {
    find("FORETELL_Z3", "z3")
}

/// cvc5, likewise.
pub(crate) fn cvc5() -> Option<PathBuf> {
    find("FORETELL_CVC5", "cvc5")
}

fn find(variable: &str, name: &str) -> Option<PathBuf> {
    let named = env::var_os(variable)
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    let beside = || {
        let executable = env::current_exe().ok()?.canonicalize().ok()?;
        beside(executable.parent()?, name)
    };
    let in_path = || find_program(OsStr::new(name)).ok();
    named
        .filter(|path| path.is_file())
        .or_else(beside)
        .or_else(in_path)
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
