//! Reports about C programs, in the words of C.

use foretell_driver::program::{
    Confirmation, Finding, GroupAnswer, Line, LoopNote, Proved, overall,
};

use super::{About, runs, verdict};
use crate::model::{
    Checked, Obligation, Part, Proof, Question, Report, Role, Row, SourceLine, Step, Trace,
    TraceKind,
};

/// So many lines before and after the path are listed.
const AROUND: u32 = 4;
/// At most so many lines are listed.
const MOST_LISTED: usize = 400;

/// The report about a program.
pub fn of_program(about: &About<'_>, answers: &[GroupAnswer], seconds: f64) -> Report {
    let mut report = about.start(None);
    report.input.format = Some("c".to_owned());
    let all = overall(answers);
    report.verdict = verdict(all);
    report.answer = all.name().to_owned();
    report.seconds = seconds;
    let text = String::from_utf8_lossy(about.bytes);
    let lines: Vec<&str> = text.lines().collect();
    for answer in answers {
        report.runs.extend(runs(about.record, &answer.runs, &[]));
        report.questions.push(question(answer, &lines));
    }
    report
}

fn question(answer: &GroupAnswer, lines: &[&str]) -> Question {
    let mut question = Question {
        name: answer.group.name().to_owned(),
        verdict: verdict(answer.finding.verdict()),
        ..Question::default()
    };
    match &answer.finding {
        Finding::Safe(found) => question.proof = Some(proved(found)),
        Finding::Unsafe(found) => {
            question.line = found.lines.last().map(|l| l.line);
            question.checks = vec![confirmed(found.confirmation)];
            question.trace = Some(trace(&found.lines, lines));
        }
        Finding::Unknown(reason) => question.reason = Some(reason.clone()),
    }
    question
}

/// What holds in the loops of a program.
pub(super) fn proved(found: &Proved) -> Proof {
    let told = found.acsl.iter().filter(|n| !n.invariants.is_empty());
    Proof {
        certificate: found.certificate.clone().unwrap_or_default(),
        parts: told.map(loop_part).collect(),
        ..Proof::default()
    }
}

fn loop_part(note: &LoopNote) -> Part {
    Part {
        name: format!("loop in line {}", note.line),
        conjuncts: note.invariants.clone(),
        ..Part::default()
    }
}

pub(super) fn confirmed(confirmation: Confirmation) -> Checked {
    let (by, what) = match confirmation {
        Confirmation::Executed => ("execution", "the compiled program fails in the same way"),
        Confirmation::Replayed => ("replay", "the program fails when it is interpreted"),
    };
    Checked {
        by: by.to_owned(),
        seconds: 0.0,
        obligations: vec![Obligation {
            what: what.to_owned(),
            status: "holds".to_owned(),
        }],
    }
}

/// A path through the lines of a program.
pub(super) fn trace(path: &[Line], lines: &[&str]) -> Trace {
    let numbered = path.iter().enumerate();
    let steps: Vec<Step> = numbered
        .map(|(number, line)| {
            let at = usize::try_from(line.line).unwrap_or(0);
            let source = at.checked_sub(1).and_then(|at| lines.get(at));
            let values = (!line.values.is_empty()).then(|| Row {
                role: Role::State,
                value: line.values.clone(),
                ..Row::default()
            });
            Step {
                number,
                title: line.statement.clone(),
                line: (line.line > 0).then_some(line.line),
                source: source.map(|s| s.trim().chars().take(400).collect()),
                premises: number.checked_sub(1).into_iter().collect(),
                values: values.into_iter().collect(),
            }
        })
        .collect();
    let cause = path.last().map_or_else(String::new, |last| {
        format!("Line {}: `{}` {}.", last.line, last.statement, last.values)
    });
    Trace {
        kind: TraceKind::Program,
        cause,
        n_steps: steps.len(),
        listing: listing(&steps, lines),
        steps,
        ..Trace::default()
    }
}

/// The source around the path, with what happened beside its lines.
fn listing(steps: &[Step], lines: &[&str]) -> Vec<SourceLine> {
    let on_path = |number: u32| steps.iter().filter(move |s| s.line == Some(number));
    let numbers = steps.iter().filter_map(|s| s.line);
    let (Some(first), Some(last)) = (numbers.clone().min(), numbers.max()) else {
        return Vec::new();
    };
    let first = first.saturating_sub(AROUND).max(1);
    let numbered = (1u32..).zip(lines);
    let near = numbered.filter(|(n, _)| (first..=last.saturating_add(AROUND)).contains(n));
    near.take(MOST_LISTED)
        .map(|(number, text)| {
            let values = on_path(number)
                .flat_map(|s| &s.values)
                .map(|r| r.value.clone());
            let mut values: Vec<String> = values.collect();
            values.dedup();
            if values.len() > 3 {
                values.drain(1..values.len() - 2);
                values.insert(1, "…".to_owned());
            }
            SourceLine {
                number,
                text: text.chars().take(200).collect(),
                visits: on_path(number).count(),
                values,
            }
        })
        .collect()
}
