//! SV-COMP's witnesses, format 2.0, as YAML.
//!
//! A list with one entry: `invariant_set` (what holds at the loops, as expressions of C) or
//! `violation_sequence` (one segment for each input in the order of the calls, then the target).
//! Strings are quoted by our own printer. Lines are those of the given file; a `function_return`
//! is at the closing parenthesis of its call.

use std::fmt::Write;

use super::annotate::LoopNote;
use crate::error::Span;
use crate::program::{DataModel, InputKind, InputValue, Program};
use crate::run::{End, Run};

/// What a witness says about itself.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// An identifier made from the content.
    pub uuid: String,
    /// ISO 8601.
    pub creation_time: String,
    /// The version of this program.
    pub version: String,
    /// The name of the input.
    pub file: String,
    /// Its SHA-256 in hexadecimal.
    pub hash: String,
    /// The specification, such as `G ! call(reach_error())`.
    pub specification: String,
}

/// A string between double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn head(kind: &str, program: &Program, about: &Metadata) -> String {
    let model = match program.model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let file = quoted(&about.file);
    format!(
        "- entry_type: {}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    creation_time: {}\n    \
         producer:\n      name: \"Foretell\"\n      version: {}\n    task:\n      input_files:\n        - {file}\n      \
         input_file_hashes:\n        {file}: {}\n      specification: {}\n      data_model: {model}\n      language: C\n",
        quoted(kind),
        quoted(&about.uuid),
        quoted(&about.creation_time),
        quoted(&about.version),
        quoted(&about.hash),
        quoted(&about.specification),
    )
}

fn location(program: &Program, span: Span, about: &Metadata) -> String {
    let place = program.source.location(span);
    format!(
        "file_name: {}\n{{indent}}line: {}\n{{indent}}column: {}",
        quoted(&about.file),
        place.line,
        place.column
    )
}

fn indented(text: &str, by: usize) -> String {
    text.replace("{indent}", &" ".repeat(by))
}

/// A witness of correctness: the invariants of the loops.
pub fn correctness(program: &Program, notes: &[LoopNote], about: &Metadata) -> String {
    let mut out = head("invariant_set", program, about);
    if notes.iter().all(|n| n.invariants.is_empty()) {
        out.push_str("  content: []\n");
        return out;
    }
    out.push_str("  content:\n");
    for note in notes.iter().filter(|n| !n.invariants.is_empty()) {
        let place = program.source.location_in(0, note.offset);
        let value = note
            .invariants
            .iter()
            .map(|i| format!("({i})"))
            .collect::<Vec<_>>()
            .join(" && ");
        let _ = write!(
            out,
            "    - invariant:\n        type: loop_invariant\n        location:\n          file_name: {}\n          \
             line: {}\n          column: {}\n        value: {}\n        format: c_expression\n",
            quoted(&about.file),
            place.line,
            place.column,
            quoted(&value)
        );
    }
    out
}

/// A witness of violation: the inputs in order, then the target.
pub fn violation(program: &Program, run: &Run, about: &Metadata) -> String {
    let mut out = head("violation_sequence", program, about);
    out.push_str("  content:\n");
    for (site, value) in &run.inputs {
        let site = &program.inputs[site.index()];
        let (InputKind::Call(_), InputValue::Int(n)) = (&site.kind, value) else {
            continue;
        };
        let close = Span {
            start: site.span.end.saturating_sub(1),
            end: site.span.end,
        };
        let place = indented(&location(program, trimmed(program, close), about), 12);
        let _ = write!(
            out,
            "    - segment:\n      - waypoint:\n          type: function_return\n          action: follow\n          \
             location:\n            {place}\n          constraint:\n            value: {}\n            format: acsl_expression\n",
            quoted(&format!("\\result == {n}"))
        );
    }
    if let End::Violated(check) = run.end {
        let place = indented(&location(program, program.check(check).span, about), 12);
        let _ = write!(
            out,
            "    - segment:\n      - waypoint:\n          type: target\n          action: follow\n          \
             location:\n            {place}\n"
        );
    }
    out
}

/// The last byte of a call that is no blank: spans of the parser end with the blanks behind them.
fn trimmed(program: &Program, span: Span) -> Span {
    let mut at = span.start;
    while at > 0 {
        let one = Span {
            start: at,
            end: at + 1,
        };
        match program.source.words(one) {
            Some(word) if word.trim().is_empty() => at -= 1,
            _ => return one,
        }
    }
    span
}
