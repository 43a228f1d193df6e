//! `bench` over many machines: scripts, what is missing, how far all parts are.

use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use foretell_bench::emit::{self, Plan};
use foretell_bench::{BenchError, BenchOptions, Coverage, Whole};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bench_arguments::{BenchArguments, Emit};
use crate::bench_command::{duration, written_report};
use crate::exit::Exit;
use crate::streams;

/// How often results are looked at while somebody watches.
const LOOK: Duration = Duration::from_secs(2);
/// The same without a terminal.
const LINE: Duration = Duration::from_secs(60);

/// Options that are about parts and take a value: they do not belong to the command of a part.
const WITH_VALUE: [&str; 5] = ["--emit", "--shards", "--shard", "--attempt", "--at-once"];
/// The same without a value.
const ALONE: [&str; 3] = ["--submit", "--missing", "--watch"];

type Told = Result<(String, Exit), BenchError>;

/// What is done instead of running the batch, if that is wanted.
pub(crate) fn instead(arguments: &BenchArguments, options: &BenchOptions) -> Option<Told> {
    let spread = &arguments.spread;
    match spread.emit {
        Some(Emit::Slurm) => Some(slurm(arguments, options)),
        Some(Emit::Parallel) => Some(parallel(arguments, options)),
        Some(Emit::Benchexec) => Some(benchexec(options)),
        None if spread.submit => Some(submit(arguments, options)),
        None if spread.missing => Some(missing(arguments, options)),
        None if spread.watch => Some(watch(arguments, options)),
        None => None,
    }
}

fn benchexec(options: &BenchOptions) -> Told {
    let xml = emit::benchexec(options, &options.out.join("benchexec"))?;
    Ok((format!("wrote {}\n", xml.display()), Exit::Safe))
}

fn slurm(arguments: &BenchArguments, options: &BenchOptions) -> Told {
    let submit = emit::slurm(options, &plan(arguments, options)?)?;
    Ok((start_with("sh", &submit), Exit::Safe))
}

fn parallel(arguments: &BenchArguments, options: &BenchOptions) -> Told {
    let script = emit::parallel(options, &plan(arguments, options)?)?;
    Ok((start_with("bash", &script), Exit::Safe))
}

/// Where scripts are and how to start them.
fn start_with(shell: &str, script: &Path) -> String {
    let folder = script.parent().unwrap_or(script).display();
    let quoted = format!("'{}'", script.to_string_lossy().replace('\'', r"'\''"));
    format!("wrote scripts to {folder}; start with: {shell} {quoted}\n")
}

/// Writes the scripts for Slurm and runs the one that submits the others.
fn submit(arguments: &BenchArguments, options: &BenchOptions) -> Told {
    let script = emit::slurm(options, &plan(arguments, options)?)?;
    let failed = |reason: String| BenchError::Options(format!("{}: {reason}", script.display()));
    let run = Command::new("sh")
        .arg(&script)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| failed(e.to_string()))?;
    if !run.status.success() {
        let words = String::from_utf8_lossy(&run.stderr).trim().to_owned();
        return Err(failed(words));
    }
    Ok((
        String::from_utf8_lossy(&run.stdout).into_owned(),
        Exit::Safe,
    ))
}

/// What the scripts need to know.
fn plan(arguments: &BenchArguments, options: &BenchOptions) -> Result<Plan, BenchError> {
    let lost = |e: std::io::Error| BenchError::Options(format!("no current folder: {e}"));
    let variables = ["PATH", "FORETELL_Z3", "FORETELL_CVC5"];
    let variable = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(Plan {
        command: command(std::env::args()),
        environment: variables.into_iter().filter_map(variable).collect(),
        folder: std::env::current_dir().map_err(lost)?,
        shards: shards(arguments, options)?,
        at_once: arguments.spread.at_once.map(number),
    })
}

fn shards(arguments: &BenchArguments, options: &BenchOptions) -> Result<usize, BenchError> {
    match arguments.spread.shards {
        Some(n) => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
        None => options.parts(),
    }
}

/// A command line without what is about parts, with the path of our executable.
fn command(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut skip = false;
    for word in words {
        let name = word.split('=').next().unwrap_or_default();
        if skip {
            skip = false;
        } else if WITH_VALUE.contains(&name) {
            skip = word == name;
        } else if !ALONE.contains(&word.as_str()) {
            kept.push(word);
        }
    }
    if let (Some(first), Ok(executable)) = (kept.first_mut(), std::env::current_exe()) {
        *first = executable.to_string_lossy().into_owned();
    }
    kept
}

/// Prints the parts with missing results, or writes the report.
fn missing(arguments: &BenchArguments, options: &BenchOptions) -> Told {
    let coverage = Coverage::new(options, shards(arguments, options)?)?;
    match coverage.missing()? {
        Some(list) => Ok((format!("{list}\n"), Exit::Unknown)),
        None => {
            let whole = coverage.tally()?;
            let exit = match whole.tally.wrong + whole.failed_certificates {
                0 => Exit::Safe,
                _ => Exit::Unsafe,
            };
            Ok((written_report(&options.out)?, exit))
        }
    }
}

/// Shows how far all parts are until nothing is missing.
fn watch(arguments: &BenchArguments, options: &BenchOptions) -> Told {
    let coverage = Coverage::new(options, shards(arguments, options)?)?;
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let terminal = std::io::stderr().is_terminal();
    loop {
        let whole = coverage.tally()?;
        let (done, total) = (whole.tally.done, whole.tally.total);
        let line = shown(&whole);
        if done == total {
            bar.finish_and_clear();
            return Ok((format!("{done}/{total} {line}\n"), Exit::Safe));
        }
        if terminal {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(line);
            std::thread::sleep(LOOK);
        } else {
            streams::notice(&format!("{done}/{total} {line}"));
            std::thread::sleep(LINE);
        }
    }
}

/// How far all parts are, in words.
fn shown(whole: &Whole) -> String {
    let tally = &whole.tally;
    let wrong = match tally.wrong {
        0 => String::new(),
        n => format!(", {n} WRONG"),
    };
    let left = whole.left.map(|left| format!(", {} left", duration(left)));
    format!(
        "done, {} running, {} solved{wrong}, {}{}",
        tally.running,
        tally.solved,
        duration(tally.elapsed),
        left.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_part_is_started_without_what_is_about_parts() {
        let words =
            "foretell bench a --emit slurm --shards=3 -j 4 --at-once 2 --submit --tool t=--emit b";
        let kept = command(words.split(' ').map(str::to_owned));
        assert_eq!(kept[1..].join(" "), "bench a -j 4 --tool t=--emit b");
    }
}
