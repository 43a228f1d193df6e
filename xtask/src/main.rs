//! Development tasks: `cargo xtask tidy`, `cargo xtask licences`, `cargo xtask counts`, `cargo xtask dist`.

mod counts;
mod dist;
mod licences;
mod tidy;

use std::io::{self, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask tidy                the rules of the house\n       cargo xtask counts [--update]   instruction counts of the hot paths\n       cargo xtask licences            licences of all dependencies\n       cargo xtask licences --texts    what they say, for a package that contains them\n       cargo xtask dist [FOLDER]       an archive to install";

fn main() -> io::Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let good = match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["tidy"] => tidy_up()?,
        ["licences"] => licences()?,
        ["licences", "--texts"] => {
            write!(io::stdout(), "{}", licences::texts(&root())?)?;
            true
        }
        ["dist"] => dist::run(&root(), &root().join("target"))?,
        ["dist", folder] => dist::run(&root(), std::path::Path::new(folder))?,
        ["counts"] => counts::run(counts::Mode::Compare)?,
        ["counts", "--update"] => counts::run(counts::Mode::Update)?,
        _ => {
            writeln!(io::stderr(), "{USAGE}")?;
            return Ok(ExitCode::from(2));
        }
    };
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The folder of the checkout.
fn root() -> std::path::PathBuf {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Whether all dependencies may be used; says which may not.
fn licences() -> io::Result<bool> {
    let (n, found) = licences::problems(&root())?;
    for problem in &found {
        writeln!(io::stderr(), "{problem}")?;
    }
    writeln!(io::stdout(), "{n} dependencies, {} problems", found.len())?;
    Ok(found.is_empty())
}

/// Whether the repository is tidy; says what is not.
fn tidy_up() -> io::Result<bool> {
    let found = tidy::problems(&root())?;
    for problem in &found {
        writeln!(io::stderr(), "{problem}")?;
    }
    Ok(found.is_empty())
}
