//! Reports about C programs, in the words of C.

use foretell_driver::program::{Confirmation, Finding, GroupAnswer, LoopNote, Refuted, overall};

use super::{About, runs, verdict};
use crate::model::{
    Checked, Obligation, Part, Proof, Question, Report, Role, Row, Step, Trace, TraceKind,
};

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
        Finding::Safe(proved) => {
            question.proof = Some(Proof {
                certificate: proved.certificate.clone().unwrap_or_default(),
                parts: proved.acsl.iter().map(loop_part).collect(),
                ..Proof::default()
            });
        }
        Finding::Unsafe(refuted) => {
            question.line = refuted.lines.last().map(|l| l.line);
            question.checks = vec![confirmed(refuted)];
            question.trace = Some(trace(refuted, lines));
        }
        Finding::Unknown(reason) => question.reason = Some(reason.clone()),
    }
    question
}

fn loop_part(note: &LoopNote) -> Part {
    Part {
        name: format!("loop in line {}", note.line),
        conjuncts: note.invariants.clone(),
        ..Part::default()
    }
}

fn confirmed(refuted: &Refuted) -> Checked {
    let (by, what) = match refuted.confirmation {
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

fn trace(refuted: &Refuted, lines: &[&str]) -> Trace {
    let numbered = refuted.lines.iter().enumerate();
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
    let cause = refuted.lines.last().map_or_else(String::new, |last| {
        format!("Line {}: `{}` {}.", last.line, last.statement, last.values)
    });
    Trace {
        kind: TraceKind::Program,
        cause,
        n_steps: steps.len(),
        steps,
        ..Trace::default()
    }
}
