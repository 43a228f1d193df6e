//! What goes in and comes out of a check besides the answer: hints, and what was learnt.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use foretell_driver::claims;
use foretell_driver::hints::{self, HintError};
use foretell_driver::learn::{learn, reserve};
use foretell_driver::resume::{self, resumed};
use foretell_driver::{Learned, Report, Request, VerdictKind};

use crate::answer::{model, unfinished};
use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::files;
use crate::streams::{answer_or_notice, notice};

/// Adds the hints of the command line to a request.
pub(crate) fn add_hints(arguments: &CheckArguments, request: &mut Request) -> Result<(), Failure> {
    let Some(path) = &arguments.hints else {
        return Ok(());
    };
    let bytes = files::read(path).map_err(Failure::Usage)?;
    let hints = hints::read(&request.bytes, &bytes).map_err(|error| match error {
        HintError::Problem(error) => Failure::Check(error),
        HintError::Hints(findings) => Failure::Located {
            path: path.clone(),
            bytes,
            findings,
        },
    })?;
    if !arguments.output.chatter.quiet && !arguments.output.chc_comp {
        let (used, left) = (hints.n_used, hints.n_left_out);
        if left > 0 {
            notice(&format!(
                "warning: {left} of {} hints have inner quantifiers or functions and are left out",
                used + left
            ));
        }
    }
    request.hints = hints.shared;
    request.claims = hints.claims;
    let slots = u32::try_from(request.jobs.max(1)).unwrap_or(u32::MAX);
    let room = request.limits.wall.map(|wall| wall.saturating_mul(slots));
    request.steps = resumed(std::mem::take(&mut request.steps), &hints.turns, room);
    // What comes later wins, so the user may say otherwise.
    for tried in ["ic3ia.lemmas=true", "lazy_annotation.lemmas=true"] {
        request.common.settings.insert(0, tried.to_owned());
    }
    Ok(())
}

/// Keeps time for learning, if it is wanted, and has lemmas told while they are found.
pub(crate) fn keep_time(arguments: &CheckArguments, request: &mut Request) -> Option<Duration> {
    arguments.output.learned.as_ref()?;
    // What is still being looked for is worth knowing too.
    let told = "lazy_annotation.tell_every=20".to_owned();
    request.common.settings.insert(0, told);
    request.common.witnesses = true;
    let kept = reserve(request.limits.wall);
    let wall = request.limits.wall;
    request.limits.wall = wall.map(|wall| wall.saturating_sub(kept));
    Some(kept)
}

/// Learns what there is to learn from a check without an answer.
pub(crate) fn after(request: &Request, report: &Report, kept: Option<Duration>) -> Option<Learned> {
    let kept = kept.filter(|_| report.verdict() == VerdictKind::Unknown)?;
    match learn(request, report, kept) {
        Ok(learned) => Some(learned),
        Err(error) => {
            notice(&format!("warning: nothing was learnt: {error}"));
            None
        }
    }
}

/// Prints or writes what was learnt.
pub(crate) fn print(
    arguments: &CheckArguments,
    file: &Path,
    report: &Report,
    learned: &Learned,
) -> Result<(), String> {
    let text = text(file, report, learned);
    match arguments.output.learned.as_deref() {
        Some(path) if path != Path::new("-") => files::write(path, text.as_bytes()),
        _ => answer_or_notice(&text),
    }
}

/// How far the check got, in a few lines.
pub(crate) fn summary(report: &Report) -> Vec<String> {
    let mut lines = unfinished(&report.runs);
    let bounds = report.runs.iter().filter_map(|run| run.statistics.bound);
    if let Some(bound) = bounds.max() {
        lines.push(format!("no counterexample up to bound {bound}"));
    }
    if !report.not_started.is_empty() {
        let names = report.not_started.join(", ");
        lines.push(format!("never got a turn: {names}"));
    }
    lines
}

/// A text that `--hints` reads: comments, what was proved as a model, then candidates.
fn text(file: &Path, report: &Report, learned: &Learned) -> String {
    let name: String = file
        .to_string_lossy()
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    let mut out = format!("; learnt about {name}; --hints takes this text\n");
    for line in summary(report) {
        let _ = writeln!(out, "; {line}");
    }
    out += &resume::text(&report.unfinished);
    if !report.claims.is_empty() {
        out.push_str("; answers, to be checked before anybody believes them:\n");
        out += &claims::text(&report.claims);
    }
    if learned.definitions.is_empty() {
        out.push_str("; nothing was proved\n");
    } else {
        let _ = writeln!(
            out,
            "; {} formulas hold in all reachable states:",
            learned.n_facts
        );
        out += &model(&learned.definitions);
    }
    if !learned.candidates.is_empty() {
        out.push_str("; others, which follow from these or are not known to hold:\n(candidates\n");
        out += &learned.candidates.join("\n");
        out.push_str("\n)\n");
    }
    out
}
