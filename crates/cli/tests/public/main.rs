//! The real executable: what it prints, how it ends, what it leaves behind.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod bench;
mod claims;
mod commands;
mod complaints;
mod conversation;
mod corpus;
mod determinism;
mod elsewhere;
mod foreign;
mod hostile;
mod interface;
mod limits;
mod liveness;
mod papers;
mod programs;
mod questions;
mod report;
mod report_story;
mod supervision;
mod witnesses;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use foretell_testkit::Case;
use foretell_testkit::corpus::root;

/// What a run gave.
struct Outcome {
    /// Standard output.
    stdout: String,
    /// Standard error.
    stderr: String,
    /// The exit code; `None` when it died of a signal.
    code: Option<i32>,
}

impl Outcome {
    /// The first line of standard output.
    fn first(&self) -> &str {
        self.stdout.lines().next().unwrap_or("")
    }
}

/// A command of the executable, with reproducers in a folder of the build.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foretell"));
    command
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null());
    command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs the executable in the root of the checkout.
fn foretell(arguments: &[&str]) -> Outcome {
    let output = command(arguments).output().unwrap();
    Outcome {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}

/// A folder for files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The arguments that select the property a file of the corpus is about.
fn property(case: &Case) -> Vec<String> {
    let number = case.property();
    number.map_or_else(Vec::new, |n| vec!["--property".to_owned(), n.to_string()])
}
