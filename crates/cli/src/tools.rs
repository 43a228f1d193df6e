//! Where the solver executables are.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

use foretell_process::find_program;

/// Z3: named by `FORETELL_Z3`, in the checkout this executable was built in, or in `PATH`.
pub(crate) fn z3() -> Option<PathBuf> {
    find("FORETELL_Z3", ".z3/bin/z3", "z3")
}

/// cvc5, likewise.
pub(crate) fn cvc5() -> Option<PathBuf> {
    find("FORETELL_CVC5", ".cvc5/bin/cvc5", "cvc5")
}

fn find(variable: &str, in_checkout: &str, name: &str) -> Option<PathBuf> {
    let named = env::var_os(variable)
        .filter(|v| !v.is_empty())
        .map(PathBuf::from);
    let beside = || {
        let executable = env::current_exe().ok()?;
        // target/release/foretell
        let checkout = executable.parent()?.parent()?.parent()?;
        Some(checkout.join(in_checkout)).filter(|path| path.is_file())
    };
    let in_path = || find_program(OsStr::new(name)).ok();
    named
        .filter(|path| path.is_file())
        .or_else(beside)
        .or_else(in_path)
}
