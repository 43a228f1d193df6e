//! `bench`, `report`, `compare` and `merge`: from arguments to the bench crate and back to text.

use std::path::Path;
use std::time::{Duration, Instant};

use foretell_bench::{
    BenchError, BenchOptions, Pages, Progress, Row, Summary, Tally, Tool, VerdictKind, compare,
    journal, merge, report, run,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bench_arguments::{
    BenchArguments, CompareArguments, MergeArguments, ReportArguments, ToolArguments,
};
use crate::bench_parts;
use crate::exit::Exit;
use crate::streams;

/// Without a terminal, a line of progress this often.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// Prints what a command came to; errors go to standard error.
fn finish(result: Result<(String, Exit), BenchError>) -> Exit {
    let told = result.map_err(|error| {
        let exit = match error {
            BenchError::Output { .. } | BenchError::Busy(_) | BenchError::Supervisor(_) => {
                Exit::Internal
            }
            _ => Exit::Usage,
        };
        (error.to_string(), exit)
    });
    match told.and_then(|(text, exit)| match streams::answer(&text) {
        Ok(()) => Ok(exit),
        Err(error) => Err((format!("cannot write: {error}"), Exit::Internal)),
    }) {
        Ok(exit) => exit,
        Err((message, exit)) => {
            streams::notice(&message);
            exit
        }
    }
}

/// Runs `bench`.
pub(crate) fn bench(arguments: &BenchArguments) -> Exit {
    finish(
        options(arguments).and_then(|options| match bench_parts::instead(arguments, &options) {
            Some(done) => done,
            None => batch(arguments, &options),
        }),
    )
}

/// Runs the batch, or a part of it.
fn batch(arguments: &BenchArguments, options: &BenchOptions) -> Result<(String, Exit), BenchError> {
    let mut progress = Bar::new(match arguments.quiet {
        true => Chatter::Quiet,
        false => Chatter::Usual,
    });
    let summary = run(options, &mut progress)?;
    progress.bar.finish_and_clear();
    let exit = if !summary.wrong.is_empty() || !summary.failed_certificates.is_empty() {
        Exit::Unsafe
    } else if summary.interrupted {
        Exit::Unknown
    } else {
        Exit::Safe
    };
    Ok((told(options, &summary)?, exit))
}

fn options(arguments: &BenchArguments) -> Result<BenchOptions, BenchError> {
    let mut options = BenchOptions::new(arguments.inputs.clone(), arguments.out.clone());
    options.only = arguments.only.clone();
    options.tools = tools(&arguments.tools).map_err(BenchError::Options)?;
    options.timeout = arguments.timeout;
    options.memory = arguments.memory;
    options.jobs = arguments.jobs;
    options.shard = arguments.spread.shard;
    options.attempt = arguments.spread.attempt.clone();
    options.pages = match arguments.reports {
        true => Pages::Written,
        false => Pages::None,
    };
    Ok(options)
}

/// Our own tool in its variants, then the others.
fn tools(arguments: &ToolArguments) -> Result<Vec<Tool>, String> {
    let executable =
        std::env::current_exe().map_err(|e| format!("cannot find our own executable: {e}"))?;
    let mut tools = Vec::new();
    if !arguments.no_own && arguments.variants.is_empty() {
        tools.push(Tool::own("foretell", &executable, &[]));
    }
    for variant in &arguments.variants {
        let (name, line) = variant
            .split_once('=')
            .ok_or_else(|| format!("write \"{variant}\" as NAME=OPTIONS"))?;
        tools.push(Tool::own(
            name,
            &executable,
            &foretell_process::split_words(line)?,
        ));
    }
    for tool in &arguments.tools {
        tools.push(Tool::parse(tool)?);
    }
    Ok(tools)
}

/// What a batch came to, from all its results in the folder, with the report of them.
fn told(options: &BenchOptions, summary: &Summary) -> Result<String, BenchError> {
    let Tally {
        total,
        done,
        resumed,
        solved,
        ..
    } = summary.tally;
    let mut text = match options.shard {
        // The report is about all parts: whoever sees that none is missing writes it.
        Some(part) => {
            let (index, count) = (part.index, part.count);
            format!("part {index} of {count}: {done} of {total} runs, {solved} solved now\n")
        }
        None => written_report(&options.out)?,
    };
    if resumed > 0 {
        text.push_str(&format!("{resumed} of {total} runs were there already\n"));
    }
    if summary.interrupted {
        text.push_str(&format!(
            "interrupted after {done} of {total} runs; the same command goes on\n"
        ));
    }
    Ok(text)
}

/// Writes the report of a folder; what it says, and where it is.
pub(crate) fn written_report(folder: &Path) -> Result<String, BenchError> {
    let made = report(&[folder.to_owned()], None)?;
    note_skipped(&made.skipped);
    let files = format!("wrote {} and {}\n", made.html.display(), made.csv.display());
    Ok(made.summary + &files)
}

/// Runs `report`.
pub(crate) fn report_command(arguments: &ReportArguments) -> Exit {
    finish(
        report(&arguments.results, arguments.out.as_deref()).map(|made| {
            note_skipped(&made.skipped);
            let files = format!("wrote {} and {}\n", made.html.display(), made.csv.display());
            (made.summary + &files, Exit::Safe)
        }),
    )
}

/// Runs `compare`.
pub(crate) fn compare_command(arguments: &CompareArguments) -> Exit {
    let load = |path: &Path| {
        let loaded = journal::load(path)?;
        note_skipped(&loaded.skipped);
        Ok::<Vec<Row>, BenchError>(loaded.rows)
    };
    let pair = |text: &String| match text.split_once('=') {
        Some((before, after)) => Ok((before.to_owned(), after.to_owned())),
        None => Err(BenchError::Options(format!(
            "write \"{text}\" as BEFORE=AFTER"
        ))),
    };
    let compared = || {
        let pairs = arguments
            .pairs
            .iter()
            .map(pair)
            .collect::<Result<Vec<_>, _>>()?;
        let comparison = compare(load(&arguments.before)?, load(&arguments.after)?, &pairs)?;
        let exit = if comparison.is_wrong() {
            Exit::Unsafe
        } else {
            Exit::Safe
        };
        let text = if arguments.json {
            serde_json::to_string_pretty(&comparison)
                .map(|json| json + "\n")
                .map_err(|e| BenchError::Options(e.to_string()))?
        } else {
            comparison.to_text()
        };
        Ok((text, exit))
    };
    finish(compared())
}

/// Runs `merge`.
pub(crate) fn merge_command(arguments: &MergeArguments) -> Exit {
    finish(merge(&arguments.sources, &arguments.out).map(|merged| {
        note_skipped(&merged.skipped);
        let (rows, doubled) = (merged.rows, merged.doubled);
        (
            format!("{rows} results added, {doubled} were there already\n"),
            Exit::Safe,
        )
    }))
}

fn note_skipped(skipped: &[String]) {
    for line in skipped.iter().take(10) {
        streams::notice(&format!("{line}: not a result, left out"));
    }
    if skipped.len() > 10 {
        streams::notice(&format!("{} lines in all are no results", skipped.len()));
    }
}

/// Whether progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chatter {
    /// A bar, or a line now and then.
    Usual,
    /// Only what is wrong.
    Quiet,
}

/// Progress: a bar on a terminal, else a line now and then.
struct Bar {
    bar: ProgressBar,
    chatter: Chatter,
    last_line: Instant,
}

impl Bar {
    fn new(chatter: Chatter) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        if chatter == Chatter::Quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar {
            bar,
            chatter,
            last_line: Instant::now(),
        }
    }

    fn message(tally: &Tally) -> String {
        let left = tally
            .eta()
            .map(|t| format!(", {} left", duration(t)))
            .unwrap_or_default();
        let wrong = if tally.wrong > 0 {
            format!(", {} WRONG", tally.wrong)
        } else {
            String::new()
        };
        format!(
            "{} solved{wrong}, {}{left}",
            tally.solved,
            duration(tally.elapsed)
        )
    }
}

/// `1:02:03` or `2:03`.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

impl Progress for Bar {
    fn update(&mut self, tally: &Tally) {
        self.bar.set_length(tally.total as u64);
        self.bar.set_position(tally.done as u64);
        self.bar.set_message(Bar::message(tally));
        if self.bar.is_hidden()
            && self.chatter == Chatter::Usual
            && self.last_line.elapsed() >= LINE_EVERY
        {
            self.last_line = Instant::now();
            streams::notice(&format!(
                "{}/{} {}",
                tally.done,
                tally.total,
                Bar::message(tally)
            ));
        }
    }

    fn finished(&mut self, row: &Row, tally: &Tally) {
        if row.is_wrong() {
            let expected = row.expected.map_or("unknown", VerdictKind::name);
            let text = format!(
                "WRONG {}: {} says {}, expected {expected}",
                row.key.file, row.key.tool, row.verdict
            );
            self.bar.suspend(|| streams::notice(&text));
        }
        self.update(tally);
    }

    fn note(&mut self, text: &str) {
        self.bar.suspend(|| streams::notice(text));
    }
}
