//! What to try next when there is no answer. Every hint rests on something that was counted or measured;
//! no words of an engine are read.

use foretell_driver::{Report as Found, Request, VerdictKind};
use foretell_process::Limit;

use crate::model::{Hint, Report, Run};

/// A run that spent this part of its time in something is said to be stuck in it.
const MOST_OF: f64 = 0.5;

/// The hints that what was seen supports.
pub(super) fn hints(request: &Request, found: &Found, report: &Report) -> Vec<Hint> {
    if found.verdict() != VerdictKind::Unknown {
        return Vec::new();
    }
    let mut hints = Vec::new();
    let mut add = |advice: String, seen: String| hints.push(Hint { advice, seen });
    if !report.waiting.is_empty() {
        add(
            "Give it more time (`-t`), or name the engines to run (`--engine`).".to_owned(),
            format!(
                "{} configurations never got a turn: {}.",
                report.waiting.len(),
                report.waiting.join(", ")
            ),
        );
    }
    of_runs(request, found, report, &mut add);
    if !report.told.is_empty() && report.learned.is_none() {
        add(
            "Keep what was learnt with `--learned=FILE`, look at it, add what is missing, and give it \
             back with `--hints=FILE`."
                .to_owned(),
            format!("Engines told each other {} formulas.", report.told.len()),
        );
    }
    let bound = report.runs.iter().filter_map(|r| r.bound).max();
    if let Some(bound) = bound {
        add(
            "A counterexample, if there is one, is longer: `--engine bmc` goes on looking for it alone."
                .to_owned(),
            format!("There is none of length {bound} or shorter."),
        );
    }
    let mut once: Vec<Hint> = Vec::new();
    for hint in hints {
        if once.iter().all(|known| known.advice != hint.advice) {
            once.push(hint);
        }
    }
    once
}

/// Hints about what single runs did.
fn of_runs(request: &Request, found: &Found, report: &Report, add: &mut dyn FnMut(String, String)) {
    for run in &report.runs {
        if let Some(seconds) = certifying(run) {
            add(
                "Give the checker more time for an obligation: `--set certify.seconds=60`."
                    .to_owned(),
                format!(
                    "`{}` spent {seconds:.1} of {:.1} s on checking a proof.",
                    run.name, run.seconds
                ),
            );
        }
    }
    for run in &found.runs {
        if run.limit == Some(Limit::Memory) {
            let all = request.limits.memory.map_or_else(String::new, |limit| {
                format!("; the limit for all is {} MB", limit >> 20)
            });
            add(
                "Give it more memory (`-m`), or run fewer engines at once (`-j 1`).".to_owned(),
                format!(
                    "`{}` was ended because memory ran out, with {} MB of its own{all}.",
                    run.configuration,
                    run.usage.peak_memory >> 20
                ),
            );
        }
        if let Some(seconds) = run.statistics.in_query.filter(|&s| s >= 2.0) {
            add(
                "Try another engine, or a smaller input: one question to the solver does not come \
                 back."
                    .to_owned(),
                format!(
                    "The last query of `{}` had been running for {seconds:.1} s.",
                    run.configuration
                ),
            );
        }
    }
}

/// The seconds of a run that went mostly into checking.
fn certifying(run: &Run) -> Option<f64> {
    let seconds = *run.phases.get("certify")?;
    (seconds >= 1.0 && seconds >= run.seconds * MOST_OF).then_some(seconds)
}
