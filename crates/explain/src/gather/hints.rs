//! What to try next when there is no answer. Every hint rests on something that was counted or measured;
//! no words of an engine are read.

use std::cmp::Reverse;

use foretell_driver::worker::statistics::numbered;
use foretell_driver::{Report as Found, Request, VerdictKind};
use foretell_process::Limit;

use crate::model::{Hint, Report, Returning, Run};

/// A run that spent this part of its time in something is said to be stuck in it.
const MOST_OF: f64 = 0.5;

/// An obligation that came so often is worth a word.
const OFTEN: u64 = 4;

/// The proof obligation that came back most often in one run; of several the one that came first, because
/// long runs tell only powers of two.
pub(super) fn returning(runs: &[Run]) -> Option<Returning> {
    let mut best: Option<Returning> = None;
    for run in runs {
        let last = run.events.iter().filter(|d| d.literals > 0);
        let Some(most) = last.max_by_key(|d| (d.times, Reverse(d.number))) else {
            continue;
        };
        let (Some(number), Some(times)) = (most.number, most.times) else {
            continue;
        };
        if times < OFTEN || best.as_ref().is_some_and(|b| b.times >= times) {
            continue;
        }
        let same = || run.events.iter().filter(|d| d.number == Some(number));
        best = Some(Returning {
            by: run.name.clone(),
            times,
            lowest: same().map(|d| d.level).min().unwrap_or(0),
            highest: same().map(|d| d.level).max().unwrap_or(0),
            literals: most.literals,
            formula: same().find_map(|d| d.formula.clone()),
        });
    }
    best
}

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
                "{} never got a turn: {}.",
                numbered(report.waiting.len() as u64, "configurations"),
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
            format!(
                "Engines told each other {}.",
                numbered(report.told.len() as u64, "formulas")
            ),
        );
    }
    if let Some(back) = &report.returning {
        add(
            "Say what excludes these states, as a candidate for `--hints=FILE`, or try an engine with \
             other predicates."
                .to_owned(),
            format!(
                "`{}` had to exclude the same states {} times, at levels {} to {}.",
                back.by, back.times, back.lowest, back.highest
            ),
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

#[cfg(test)]
mod tests {
    use super::returning;
    use crate::model::{Deed, DeedKind, Run};

    fn obligation(number: usize, times: u64, level: u32) -> Deed {
        Deed {
            kind: DeedKind::Obligation,
            level,
            literals: 2,
            number: Some(number),
            times: Some(times),
            formula: (times == 2).then(|| format!("cube {number}")),
            ..Deed::default()
        }
    }

    fn run(name: &str, events: Vec<Deed>) -> Run {
        Run {
            name: name.to_owned(),
            events,
            ..Run::default()
        }
    }

    #[test]
    fn the_one_that_came_most_often_in_one_run() {
        let few = run("a", (1..4).map(|n| obligation(7, n, 9)).collect());
        assert_eq!(returning(std::slice::from_ref(&few)), None);
        let mut events: Vec<Deed> = (1..6u32).map(|n| obligation(1, n.into(), n + 2)).collect();
        events.push(obligation(2, 2, 8));
        // What has no literals says nothing.
        events.push(Deed {
            literals: 0,
            ..obligation(3, 99, 1)
        });
        let found = returning(&[few, run("b", events)]).unwrap();
        assert_eq!((found.by.as_str(), found.times), ("b", 5));
        assert_eq!((found.lowest, found.highest, found.literals), (3, 7, 2));
        assert_eq!(found.formula.as_deref(), Some("cube 1"));
    }
}
