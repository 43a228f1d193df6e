//! Answers as JSON; the schema is described in `docs/formats/json.md`.

use std::path::Path;

use crate::arguments::OutputFormat;
use crate::diagnostics::position;
use crate::exit::Exit;
use crate::sarif;
use foretell_driver::commands::survey::Survey;
use foretell_driver::commands::validate::CheckReport;
use foretell_driver::program::Located;
use foretell_driver::{
    Diagnostic, Format, Learned, Outcome, Reading, Report, Request, Run, Settled, Severity,
};
use serde_json::{Value, json};

/// The version of the schema.
const SCHEMA: &str = "foretell-1";

/// A value as text: laid out, or on one line.
pub(crate) fn shown(form: OutputFormat, value: &Value) -> String {
    match form {
        OutputFormat::Jsonl => format!("{value}\n"),
        OutputFormat::Sarif => pretty(&sarif::log(value)),
        OutputFormat::Json | OutputFormat::Text => pretty(value),
    }
}

/// One line of a stream.
pub(crate) fn event(name: &str, mut value: Value) -> String {
    value["event"] = json!(name);
    format!("{value}\n")
}

/// The beginning of a stream: what the input turned out to be.
pub(crate) fn read_event(file: &Path, bytes: &[u8], reading: &Reading) -> String {
    let value = json!({
        "schema": SCHEMA,
        "input": { "path": file.to_string_lossy(), "format": reading.format.name() },
        "questions": reading.questions,
        "warnings": located(file, bytes, &reading.warnings),
    });
    event("read", value)
}

/// Findings with their places.
pub(crate) fn located(file: &Path, bytes: &[u8], findings: &[Diagnostic]) -> Vec<Value> {
    let one = |found: &Diagnostic| {
        let (line, column) = position(bytes, found);
        let mut value = finding(found);
        value["severity"] = json!(found.severity);
        value["file"] = json!(file.to_string_lossy());
        value["line"] = json!(line);
        value["column"] = json!(column);
        value
    };
    findings.iter().map(one).collect()
}

/// A finding about a program in C, with its place; its file may be one that was included.
pub(crate) fn located_in_program(found: &Located) -> Value {
    let place = &found.location;
    json!({
        "code": found.code.as_str(),
        "message": found.message,
        "span": [place.offset, place.offset],
        "notes": [],
        "severity": Severity::Error,
        "file": place.file,
        "line": place.line,
        "column": place.column,
    })
}

/// Why there is no answer.
pub(crate) fn failure(
    form: OutputFormat,
    file: Option<&Path>,
    exit: Exit,
    message: &str,
    findings: &[Value],
) -> String {
    let value = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "commit": env!("FORETELL_COMMIT"),
        "input": { "path": file.map(Path::to_string_lossy) },
        "error": {
            "kind": exit.fault(),
            "exit": exit.code(),
            "message": message,
            "findings": findings,
        },
    });
    match form {
        OutputFormat::Jsonl => event("error", value),
        _ => shown(form, &value),
    }
}

/// The whole report.
pub(crate) fn document(
    file: &Path,
    request: &Request,
    report: &Report,
    learned: Option<&Learned>,
) -> Value {
    let reading = report.reading.as_ref();
    let verdict = report.verdict();
    let format = reading.map(|r| r.format);
    let word = format.unwrap_or(Format::Horn).word(verdict);
    json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "commit": env!("FORETELL_COMMIT"),
        "input": {
            "path": file.to_string_lossy(),
            "bytes": request.bytes.len(),
            "format": format.map(Format::name),
        },
        "verdict": verdict.name(),
        "answer": word,
        "properties": report.settled.iter().map(|s| settled(s, reading)).collect::<Vec<_>>(),
        "warnings": reading.map_or_else(Vec::new, |r| r.warnings.iter().map(finding).collect()),
        "runs": report.runs.iter().map(run).collect::<Vec<_>>(),
        "not_started": report.not_started,
        "learned": learned,
        "seconds": report.elapsed.as_secs_f64(),
    })
}

/// The final word on one property.
pub(crate) fn settled(settled: &Settled, reading: Option<&Reading>) -> Value {
    let question = settled.property.and_then(|n| reading?.question(n));
    let mut value = json!({
        "property": settled.property,
        "name": question.and_then(|q| q.name.clone()),
        "line": question.map(|q| q.line),
        "verdict": settled.outcome.verdict().name(),
        "configuration": settled.configuration,
        "checks": settled.checks.iter().map(check).collect::<Vec<_>>(),
    });
    let mut add = |name: &str, part: Value| value[name] = part;
    if let Some(encoding) = &settled.encoding {
        add("encoding", json!(encoding));
    }
    match &settled.outcome {
        Outcome::Safe { certificate, model } => {
            add("certificate", json!(certificate));
            if let Some(model) = model {
                add(
                    "model",
                    json!({ "text": model.text, "checked": model.checked, "infix": model.infix }),
                );
            }
        }
        Outcome::Unsafe {
            certificate,
            violated,
        } => {
            add("counterexample", json!(settled.outcome.counterexample()));
            add("certificate", json!(certificate));
            add("violated", json!(violated));
        }
        Outcome::Unknown { reason, .. } => add("reason", json!(reason)),
    }
    value
}

fn check(report: &CheckReport) -> Value {
    json!({
        "by": report.solver,
        "obligations": report.obligations.len(),
        "seconds": report.seconds,
    })
}

fn finding(finding: &Diagnostic) -> Value {
    json!({ "code": finding.code, "message": finding.message, "span": finding.span, "notes": finding.notes })
}

fn run(run: &Run) -> Value {
    json!({
        "configuration": run.configuration,
        "property": run.property,
        "end": run.end,
        "wall_seconds": run.usage.wall.as_secs_f64(),
        "cpu_seconds": run.usage.cpu.as_secs_f64(),
        "peak_memory": run.usage.peak_memory,
        "statistics": run.statistics,
    })
}

/// The description of a file.
pub(crate) fn survey(survey: &Survey) -> Value {
    let counts: serde_json::Map<String, Value> = survey
        .counts
        .iter()
        .map(|(name, count)| ((*name).to_owned(), json!(count)))
        .collect();
    json!({
        "schema": SCHEMA,
        "format": survey.format,
        "logic": survey.logic,
        "counts": counts,
        "linear": survey.linear,
        "features": survey.features,
        "sorts": survey.sorts,
        "warnings": survey.warnings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
