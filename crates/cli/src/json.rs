//! Answers as JSON; the schema is described in `docs/formats/json.md`.

use std::path::Path;

use foretell_driver::commands::survey::Survey;
use foretell_driver::commands::validate::CheckReport;
use foretell_driver::{Diagnostic, Format, Outcome, Reading, Report, Request, Run, Settled};
use serde_json::{Value, json};

/// The version of the schema.
const SCHEMA: &str = "foretell-1";

/// The whole report.
pub(crate) fn document(file: &Path, request: &Request, report: &Report) -> String {
    let reading = report.reading.as_ref();
    let verdict = report.verdict();
    let format = reading.map(|r| r.format);
    let word = format.unwrap_or(Format::Horn).word(verdict);
    let value = json!({
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
        "seconds": report.elapsed.as_secs_f64(),
    });
    pretty(&value)
}

fn settled(settled: &Settled, reading: Option<&Reading>) -> Value {
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
pub(crate) fn survey(survey: &Survey) -> String {
    let counts: serde_json::Map<String, Value> = survey
        .counts
        .iter()
        .map(|(name, count)| ((*name).to_owned(), json!(count)))
        .collect();
    pretty(&json!({
        "schema": SCHEMA,
        "format": survey.format,
        "logic": survey.logic,
        "counts": counts,
        "linear": survey.linear,
        "features": survey.features,
        "sorts": survey.sorts,
        "warnings": survey.warnings.iter().map(finding).collect::<Vec<_>>(),
    }))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
