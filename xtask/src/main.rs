//! Development tasks: `cargo xtask counts`.

mod counts;

use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask counts [--update]   instruction counts of the hot paths";

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let good = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["counts"] => counts::run(counts::Mode::Compare)?,
        ["counts", "--update"] => counts::run(counts::Mode::Update)?,
        _ => {
            writeln!(io::stderr(), "{USAGE}")?;
            return Ok(ExitCode::from(2));
        }
    };
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
