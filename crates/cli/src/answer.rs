//! Answers as text.

use std::fmt::Write;

use foretell_driver::{Format, Outcome, Report, Run, Settled, VerdictKind};

/// The answer to one property, in the words of its format, with the reason for `unknown`.
pub(crate) fn word(format: Format, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unknown { reason, .. } => format!("unknown ({})", short(reason)),
        _ => format.word(outcome.verdict()).to_owned(),
    }
}

/// The line for one property among several.
pub(crate) fn property_line(format: Format, settled: &Settled) -> String {
    let word = word(format, &settled.outcome);
    match settled.property {
        Some(number) => format!("property {number}: {word}\n"),
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

/// Reasons stay on one line, without the parenthesis that ends them.
fn short(reason: &str) -> String {
    reason
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(400)
        .collect()
}

/// How far a run got, in one line.
pub(crate) fn run_line(run: &Run) -> String {
    let property = run
        .property
        .map_or_else(String::new, |n| format!(" (property {n})"));
    let (name, end) = (&run.configuration, &run.end);
    let seconds = run.usage.wall.as_secs_f64();
    let reach = run.statistics.reach();
    let reach = if reach.is_empty() {
        reach
    } else {
        format!(", {reach}")
    };
    format!("{name}{property}: {end} after {seconds:.2} s{reach}")
}

/// Statistics of all runs.
pub(crate) fn statistics(report: &Report) -> String {
    let mut out = format!("elapsed: {:.3} s\n", report.elapsed.as_secs_f64());
    for run in &report.runs {
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
    }
    for settled in &report.settled {
        for check in &settled.checks {
            let (by, n, seconds) = (&check.solver, check.obligations.len(), check.seconds);
            let _ = writeln!(out, "checked by {by}: {n} obligations in {seconds:.3} s");
        }
    }
    out
}
