//! The example of the README.
#![allow(clippy::print_stdout, reason = "an example")]

use foretell_lib::{Check, Error, VerdictKind};
use std::time::Duration;

fn main() -> Result<(), Error> {
    let text = std::fs::read("examples/array_init.smt2").unwrap_or_default();
    let answer = Check::new(text).timeout(Duration::from_secs(60)).run()?;
    if answer.verdict() == VerdictKind::Safe {
        println!("{}", answer.model().unwrap_or_default());
    }
    Ok(())
}

/// The same for a test.
#[allow(dead_code, clippy::main_recursion, reason = "only a test calls it")]
pub(crate) fn run() -> Result<(), Error> {
    main()
}
