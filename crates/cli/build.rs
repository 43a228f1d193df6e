//! Tells the program which commit it was built from, and where the library of Z3 lies when it is installed:
//! relative to the executable, in `../lib/foretell`.

use std::process::Command;

fn main() {
    let commit =
        git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "no commit".to_owned());
    println!("cargo::rustc-env=FORETELL_COMMIT={commit}");
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib/foretell");
    // The log of HEAD grows with every commit.
    match git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        Some(path) => println!("cargo::rerun-if-changed={path}"),
        None => println!("cargo::rerun-if-changed=build.rs"),
    }
}

/// What git says, if there is one and this is a checkout.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
