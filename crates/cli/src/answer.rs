//! Answers as text.

use std::fmt::Write;

use foretell_driver::{
    Format, Outcome, QuestionKind, Reading, Report, Run, Selection, Settled, VerdictKind,
};

/// How the answers to several questions are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lines {
    /// There is one answer.
    One,
    /// Each has a line that says which, then comes one line for all.
    Labelled,
    /// Bare words in the order of the queries, as Z3 has it.
    InOrder,
}

impl Lines {
    /// The way for a selection.
    pub(crate) fn of(selection: &Selection, reading: &Reading) -> Lines {
        match selection {
            _ if !selection.is_each(reading) => Lines::One,
            Selection::Natural if reading.format == Format::Z3Rules => Lines::InOrder,
            _ => Lines::Labelled,
        }
    }
}

/// A question by number and name: `property 1 (.never_both)`, `query 0 (line 9)`.
pub(crate) fn label(reading: Option<&Reading>, number: u64) -> String {
    let Some(question) = reading.and_then(|r| r.question(number)) else {
        return format!("property {number}");
    };
    match (question.kind, &question.name) {
        (QuestionKind::Goal, Some(name)) => format!("query {number} ({name})"),
        (QuestionKind::Goal, None) => format!("query {number} (line {})", question.line),
        (_, Some(name)) => format!("property {number} ({name})"),
        (_, None) => format!("property {number}"),
    }
}

/// The answer to one property, in the words of its format, with the reason for `unknown`.
pub(crate) fn word(format: Format, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unknown { reason, .. } => format!("unknown ({})", short(reason)),
        _ => format.word(outcome.verdict()).to_owned(),
    }
}

/// The line for one property among several.
pub(crate) fn property_line(reading: Option<&Reading>, settled: &Settled) -> String {
    let word = word(reading.map_or(Format::Horn, |r| r.format), &settled.outcome);
    match settled.property {
        Some(number) => format!("{}: {word}\n", label(reading, number)),
        None => format!("{word}\n"),
    }
}

/// The line for all properties together, after the lines for each.
pub(crate) fn overall_line(report: &Report) -> String {
    let format = report.reading.as_ref().map_or(Format::Vmt, |r| r.format);
    match report.verdict() {
        VerdictKind::Unknown => {
            let open = report
                .settled
                .iter()
                .filter(|s| s.outcome.verdict() == VerdictKind::Unknown)
                .count();
            format!("unknown ({open} of {} properties)\n", report.settled.len())
        }
        verdict => format!("{}\n", format.word(verdict)),
    }
}

/// A model as SMT-LIB wants it: a list of definitions.
pub(crate) fn model(definitions: &str) -> String {
    format!("(\n{}\n)\n", definitions.trim_end())
}

/// Reasons are a few words on one line, cut between words.
fn short(reason: &str) -> String {
    const MOST: usize = 120;
    let mut text = String::new();
    for word in reason.split_whitespace() {
        let word: String = word
            .chars()
            .filter(|c| !c.is_control())
            .take(MOST)
            .collect();
        if text.chars().count() + word.chars().count() >= MOST {
            return text + " …";
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text += &word;
    }
    text
}

/// How far each engine got, in one line each: of several runs of one, the last.
pub(crate) fn unfinished(runs: &[Run]) -> Vec<String> {
    let key = |run: &Run| (run.configuration.clone(), run.property);
    let is_last = |i: usize, run: &Run| !runs[i + 1..].iter().any(|later| key(later) == key(run));
    let last = runs.iter().enumerate().filter(|&(i, run)| is_last(i, run));
    last.map(|(_, run)| run_line(run)).collect()
}

/// How far a run got, in one line.
fn run_line(run: &Run) -> String {
    let property = run
        .property
        .map_or_else(String::new, |n| format!(" (property {n})"));
    let (name, end) = (&run.configuration, short(&run.end));
    let seconds = run.usage.wall.as_secs_f64();
    let reach = run.statistics.reach();
    let reach = if reach.is_empty() {
        reach
    } else {
        format!(", {reach}")
    };
    format!("{name}{property}: {end} after {seconds:.2} s{reach}")
}

/// What a run did: how far it got, what it used, what it counted.
pub(crate) fn run_statistics(run: &Run) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", run_line(run));
    let usage = run.usage;
    let (cpu, memory) = (
        usage.cpu.as_secs_f64(),
        usage.peak_memory as f64 / f64::from(1 << 20),
    );
    let _ = writeln!(out, "  cpu {cpu:.2} s, memory {memory:.0} MB");
    for (name, count) in &run.statistics.counts {
        let _ = writeln!(out, "  {name}: {count}");
    }
    for (name, seconds) in &run.statistics.seconds {
        let _ = writeln!(out, "  time in {name}: {seconds:.3} s");
    }
    out
}

/// Statistics of all runs.
pub(crate) fn statistics(report: &Report) -> String {
    let mut out = format!("elapsed: {:.3} s\n", report.elapsed.as_secs_f64());
    out.extend(report.runs.iter().map(run_statistics));
    for settled in &report.settled {
        for check in &settled.checks {
            let (by, n, seconds) = (&check.solver, check.obligations.len(), check.seconds);
            let _ = writeln!(out, "checked by {by}: {n} obligations in {seconds:.3} s");
        }
    }
    out
}
