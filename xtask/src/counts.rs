//! `cargo xtask counts [--update]`: instruction counts of the hot paths against the recorded ones.
//!
//! Wall time on a shared machine scatters by tens of percent; the number of instructions that a
//! deterministic program executes does not. Each workload of the example `counts` (crate `testkit`) runs
//! once under `valgrind --tool=callgrind`, counted only while its measured part runs. The recorded
//! numbers are in `bench/counts.tsv`; they depend on the compiler and on the Z3 library, so `--update`
//! belongs into the commit that changes either, or that changes a hot path on purpose.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output};

const RECORD: &str = "bench/counts.tsv";
const PROGRAM: &str = "target/release/examples/counts";
/// A change below this share is not told as one.
const TOLERANCE: f64 = 0.01;
/// A growth above this share is a failure.
const FAILURE: f64 = 0.05;

/// What a workload came to: instructions, and the number that it printed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Count {
    instructions: u64,
    result: String,
}

/// Whether to compare with the record or to replace it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Compare; growth is a failure.
    Compare,
    /// Replace the record.
    Update,
}

/// Counts all workloads; gives whether none grew too much.
pub(crate) fn run(mode: Mode) -> io::Result<bool> {
    let build = [
        "build",
        "--release",
        "--quiet",
        "-p",
        "foretell-testkit",
        "--example",
        "counts",
    ];
    succeeded(Command::new("cargo").args(build).output()?)?;
    let names = succeeded(Command::new(PROGRAM).output()?)?;
    let recorded = fs::read_to_string(RECORD)
        .map(|t| parse_record(&t))
        .unwrap_or_default();
    let mut counts = BTreeMap::new();
    let mut good = true;
    for name in String::from_utf8_lossy(&names.stdout).lines() {
        let count = count(name)?;
        let (line, grew) = compare(name, &count, recorded.get(name));
        writeln!(io::stdout(), "{line}")?;
        good &= !grew;
        counts.insert(name.to_owned(), count);
    }
    if mode == Mode::Update {
        fs::create_dir_all(Path::new(RECORD).parent().unwrap_or(Path::new(".")))?;
        fs::write(RECORD, print_record(&counts))?;
        return Ok(true);
    }
    Ok(good)
}

/// Runs one workload under callgrind.
fn count(name: &str) -> io::Result<Count> {
    let options = [
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--toggle-collect=*measured*",
    ];
    let output = succeeded(
        Command::new("valgrind")
            .args(options)
            .args([PROGRAM, name])
            .output()?,
    )?;
    let instructions = parse_collected(&String::from_utf8_lossy(&output.stderr))
        .filter(|&n| n > 0)
        .ok_or_else(|| io::Error::other(format!("{name}: callgrind counted nothing")))?;
    Ok(Count {
        instructions,
        result: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    })
}

fn succeeded(output: Output) -> io::Result<Output> {
    if output.status.success() {
        Ok(output)
    } else {
        Err(io::Error::other(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ))
    }
}

/// The number after `Collected :`.
fn parse_collected(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.split_once("Collected :"))?;
    line.1.trim().parse().ok()
}

/// A line about a workload, and whether it grew too much or did something else.
fn compare(name: &str, count: &Count, recorded: Option<&Count>) -> (String, bool) {
    let Some(old) = recorded else {
        return (format!("{name:<20} {:>14}  new", count.instructions), false);
    };
    let change = count.instructions as f64 / old.instructions as f64 - 1.0;
    let mut line = format!(
        "{name:<20} {:>14}  {:+.2} %",
        count.instructions,
        change * 100.0
    );
    if count.result != old.result {
        line.push_str(&format!(
            "  result {} instead of {}",
            count.result, old.result
        ));
        return (line, true);
    }
    if change > FAILURE {
        line.push_str("  GREW");
    } else if change.abs() > TOLERANCE {
        line.push_str("  changed");
    }
    (line, change > FAILURE)
}

fn parse_record(text: &str) -> BTreeMap<String, Count> {
    let entry = |line: &str| {
        let mut cells = line.split('\t');
        let name = cells.next()?.to_owned();
        let instructions = cells.next()?.parse().ok()?;
        Some((
            name,
            Count {
                instructions,
                result: cells.next()?.to_owned(),
            },
        ))
    };
    text.lines().filter_map(entry).collect()
}

fn print_record(counts: &BTreeMap<String, Count>) -> String {
    let lines = counts
        .iter()
        .map(|(name, c)| format!("{name}\t{}\t{}\n", c.instructions, c.result));
    std::iter::once("workload\tinstructions\tresult\n".to_owned())
        .chain(lines)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(instructions: u64, result: &str) -> Count {
        Count {
            instructions,
            result: result.to_owned(),
        }
    }

    #[test]
    fn growth_and_other_results_fail() {
        assert!(!compare("a", &count(1040, "7"), Some(&count(1000, "7"))).1);
        assert!(compare("a", &count(1060, "7"), Some(&count(1000, "7"))).1);
        assert!(compare("a", &count(1000, "8"), Some(&count(1000, "7"))).1);
        assert!(!compare("a", &count(500, "7"), Some(&count(1000, "7"))).1);
        assert!(!compare("a", &count(500, "7"), None).1);
    }

    #[test]
    fn the_record_comes_back() {
        let counts = BTreeMap::from([
            ("a b".to_owned(), count(12, "3")),
            ("c".to_owned(), count(1, "x y")),
        ]);
        assert_eq!(parse_record(&print_record(&counts)), counts);
    }

    #[test]
    fn callgrinds_words_are_read() {
        assert_eq!(
            parse_collected("==1== x\n==1== Collected : 124285181\n"),
            Some(124_285_181)
        );
        assert_eq!(parse_collected("==1== nothing"), None);
    }
}
