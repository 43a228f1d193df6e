//! Answers about C programs as text and as JSON.

use std::fmt::Write;
use std::path::Path;

use foretell_driver::VerdictKind;
use foretell_driver::program::{
    Confirmation, ContractNote, Finding, GroupAnswer, Refuted, overall,
};
use serde_json::{Value, json};

use crate::arguments::CheckArguments;

/// One line for a group.
pub(crate) fn group_line(answer: &GroupAnswer) -> String {
    format!("{}: {}", answer.group.name(), word(&answer.finding))
}

fn word(finding: &Finding) -> String {
    match finding {
        Finding::Safe(_) => "safe".to_owned(),
        Finding::Unsafe(refuted) => {
            let how = match refuted.confirmation {
                Confirmation::Executed => "executed",
                Confirmation::Replayed => "replayed",
            };
            let place = refuted.lines.last().map_or(0, |line| line.line);
            format!("unsafe (line {place}, {how})")
        }
        Finding::Unknown(reason) => {
            let reason: String = reason
                .chars()
                .filter(|c| !c.is_control())
                .take(400)
                .collect();
            format!("unknown ({reason})")
        }
    }
}

/// What is printed about a group: its line among several, or the bare answer, and the trace if wanted.
pub(crate) fn group_answer(
    arguments: &CheckArguments,
    answer: &GroupAnswer,
    n_groups: usize,
) -> String {
    let mut text = if n_groups > 1 {
        group_line(answer)
    } else {
        match &answer.finding {
            Finding::Unknown(_) => word(&answer.finding),
            finding => finding.verdict().name().to_owned(),
        }
    };
    text.push('\n');
    if let (Finding::Unsafe(refuted), Some(path)) = (&answer.finding, &arguments.output.cex)
        && path == Path::new("-")
    {
        text.push_str(&table(refuted));
    }
    text
}

/// The trace as a table.
fn table(refuted: &Refuted) -> String {
    let mut out = String::from(" line  statement\n");
    for line in &refuted.lines {
        let number = if line.line == 0 {
            String::new()
        } else {
            line.line.to_string()
        };
        let indent = "  ".repeat(line.depth.min(20));
        let statement = format!("{indent}{}", line.statement);
        let _ = writeln!(out, "{number:>5}  {statement:<44} {}", line.values);
    }
    out
}

/// The last line: the verdict on all groups.
pub(crate) fn overall_line(answers: &[GroupAnswer]) -> String {
    match overall(answers) {
        VerdictKind::Unknown => {
            let open = answers
                .iter()
                .filter(|a| a.finding.verdict() == VerdictKind::Unknown);
            let names: Vec<&str> = open.map(|a| a.group.name()).collect();
            format!("unknown ({})\n", names.join(", "))
        }
        verdict => format!("{}\n", verdict.name()),
    }
}

/// The invariants of all groups, loop by loop.
pub(crate) fn all_notes(answers: &[GroupAnswer]) -> Vec<foretell_driver::program::LoopNote> {
    let mut notes: Vec<foretell_driver::program::LoopNote> = Vec::new();
    for answer in answers {
        let Finding::Safe(proved) = &answer.finding else {
            continue;
        };
        for note in &proved.acsl {
            match notes.iter_mut().find(|n| n.offset == note.offset) {
                Some(known) => {
                    for words in &note.invariants {
                        if !known.invariants.contains(words) {
                            known.invariants.push(words.clone());
                        }
                    }
                }
                None => notes.push(note.clone()),
            }
        }
    }
    notes.sort_by_key(|n| n.offset);
    notes
}

/// Contracts, function by function: those of helpers and those of proofs.
pub(crate) fn all_contracts(
    mut notes: Vec<ContractNote>,
    answers: &[GroupAnswer],
) -> Vec<ContractNote> {
    for answer in answers {
        let Finding::Safe(proved) = &answer.finding else {
            continue;
        };
        for note in &proved.contracts {
            match notes.iter_mut().find(|n| n.offset == note.offset) {
                Some(known) => {
                    let fresh = note.clauses.iter().filter(|c| !known.clauses.contains(c));
                    let fresh: Vec<String> = fresh.cloned().collect();
                    known.clauses.extend(fresh);
                }
                None => notes.push(note.clone()),
            }
        }
    }
    // A clause `requires` comes before the others.
    let rank = |clause: &String| {
        ["requires", "assigns"]
            .iter()
            .position(|w| clause.starts_with(w))
    };
    for note in &mut notes {
        note.clauses.sort_by_key(|c| rank(c).unwrap_or(2));
    }
    notes
}

/// The whole report as JSON.
pub(crate) fn document(file: &Path, answers: &[GroupAnswer]) -> Value {
    let verdict = overall(answers);
    json!({
        "schema": "foretell-1",
        "version": env!("CARGO_PKG_VERSION"),
        "commit": env!("FORETELL_COMMIT"),
        "input": { "path": file.to_string_lossy(), "format": "c" },
        "verdict": verdict.name(),
        "answer": verdict.name(),
        "groups": answers.iter().map(group).collect::<Vec<_>>(),
    })
}

fn group(answer: &GroupAnswer) -> Value {
    let mut value = json!({
        "group": answer.group.name(),
        "verdict": answer.finding.verdict().name(),
    });
    match &answer.finding {
        Finding::Safe(proved) => {
            value["certificate"] = json!(proved.certificate);
            let notes = proved.acsl.iter().map(
                |n| json!({ "line": n.line, "invariants": n.invariants, "assigns": n.assigns }),
            );
            value["loops"] = json!(notes.collect::<Vec<_>>());
        }
        Finding::Unsafe(refuted) => {
            value["confirmed"] = json!(refuted.confirmation == Confirmation::Executed);
            let lines = refuted
                .lines
                .iter()
                .map(|l| json!({ "line": l.line, "statement": l.statement, "values": l.values }));
            value["trace"] = json!(lines.collect::<Vec<_>>());
        }
        Finding::Unknown(reason) => value["reason"] = json!(reason),
    }
    value
}
