//! Located messages with a snippet of the input, as compilers print them.

use std::io::{self, IsTerminal};
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use foretell_driver::{Diagnostic, Error, Refusal, Severity};

use crate::exit::Exit;
use crate::streams::{notice, raw};

/// At most this many bytes of the input are shown in a snippet.
const SNIPPET: usize = 80;

/// Says on standard error why there is no answer about a file, and ends the command.
pub(crate) fn fail(file: &Path, bytes: &[u8], error: &Error) -> Exit {
    match error {
        Error::Refused(Refusal::Input(reasons)) => print_refusal(file, bytes, reasons),
        _ => notice(&format!("error: {error}")),
    }
    Exit::from(error)
}

/// Prints the reasons of a refusal, then the warnings, which often explain them.
fn print_refusal(file: &Path, bytes: &[u8], findings: &[Diagnostic]) {
    for severity in [Severity::Error, Severity::Warning] {
        let some: Vec<Diagnostic> = findings
            .iter()
            .filter(|f| f.severity == severity)
            .cloned()
            .collect();
        print(file, bytes, &some);
    }
}

/// Prints findings to standard error.
pub(crate) fn print(file: &Path, bytes: &[u8], findings: &[Diagnostic]) {
    let plain = !io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some();
    let renderer = if plain {
        Renderer::plain()
    } else {
        Renderer::styled()
    };
    let path = file.to_string_lossy();
    for finding in findings {
        raw(&render(&renderer, &path, bytes, finding));
        raw("\n");
    }
}

fn render(renderer: &Renderer, path: &str, bytes: &[u8], finding: &Diagnostic) -> String {
    let place = Place::of(
        bytes,
        finding.span.start as usize,
        finding.span.end as usize,
    );
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(finding.message.as_str())
        .id(finding.code.as_str());
    let annotation = AnnotationKind::Primary.span(place.from..place.to);
    let snippet = || {
        Snippet::source(place.text.as_str())
            .line_start(place.line)
            .annotation(annotation)
    };
    let mut group = Group::with_title(title);
    if place.whole && !place.text.is_empty() {
        group = group.element(snippet().path(path));
    } else {
        // The column cannot be read off a part of a line, so it is named.
        group = group.element(
            Origin::path(path)
                .line(place.line)
                .char_column(place.column),
        );
        if !place.text.is_empty() {
            group = group.element(snippet());
        }
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    renderer.render(&[group])
}

/// The line and the column of a finding, both from 1.
pub(crate) fn position(bytes: &[u8], finding: &Diagnostic) -> (usize, usize) {
    let (start, end) = (finding.span.start as usize, finding.span.end as usize);
    let place = Place::of(bytes, start, end);
    (place.line, place.column)
}

/// Where a finding is, and the part of its line that is shown.
struct Place {
    line: usize,
    column: usize,
    /// Whether `text` is the whole line.
    whole: bool,
    text: String,
    /// The bytes of `text` to underline.
    from: usize,
    to: usize,
}

impl Place {
    fn of(bytes: &[u8], start: usize, end: usize) -> Place {
        let start = start.min(bytes.len());
        let line_start = bytes[..start]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        let line_end = bytes[start..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(bytes.len(), |at| start + at);
        let line = bytes[..line_start].iter().filter(|&&b| b == b'\n').count() + 1;
        let before = String::from_utf8_lossy(&bytes[line_start..start]);
        let column = before.trim_start_matches('\u{feff}').chars().count() + 1;
        // A window into the line that begins a little before the span.
        let shown_from = if line_end - line_start <= SNIPPET {
            line_start
        } else {
            window(line_start, start)
        };
        let shown_to = line_end.min(shown_from + SNIPPET);
        let clean = |part: &[u8]| -> String {
            let text = String::from_utf8_lossy(part);
            text.chars()
                .map(|c| if c == '\t' { ' ' } else { c })
                .filter(|c| !c.is_control())
                .collect()
        };
        let head = clean(&bytes[shown_from..start.min(shown_to)])
            .trim_start_matches('\u{feff}')
            .to_owned();
        let end = end.clamp(start, shown_to.max(start));
        let middle = clean(&bytes[start..end]);
        let tail = clean(&bytes[end..shown_to.max(end)]);
        let (from, to) = (head.len(), head.len() + middle.len());
        // Where something is left out before the span, the column cannot be read off the text.
        let readable = head.chars().count() + 1 == column;
        let whole = shown_from == line_start && shown_to == line_end && readable;
        Place {
            line,
            column,
            whole,
            text: head + &middle + &tail,
            from,
            to,
        }
    }
}

/// Where the window into a long line begins.
fn window(line_start: usize, start: usize) -> usize {
    start.saturating_sub(SNIPPET / 4).max(line_start)
}
