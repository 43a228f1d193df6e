//! The header: verdict, file, who ran; then why to believe it, and warnings about the input.

use super::html::Html;
use crate::model::{Finding, Question, Report, Verdict};

/// The verdict in a word.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "Safe",
        Verdict::Unsafe => "Unsafe",
        Verdict::Unknown => "Unknown",
        Verdict::Refused => "Refused",
    }
}

fn sentence(report: &Report) -> &'static str {
    match (report.verdict, report.questions.len() > 1) {
        (Verdict::Safe, false) => "No state that violates the property can be reached.",
        (Verdict::Safe, true) => "No state that violates any of the properties can be reached.",
        (Verdict::Unsafe, false) => "A state that violates the property can be reached.",
        (Verdict::Unsafe, true) => "A state that violates one of the properties can be reached.",
        (Verdict::Unknown, _) if report.refusal.is_some() => "There is no answer.",
        (Verdict::Unknown, _) => "Neither a proof nor a counterexample was found.",
        (Verdict::Refused, _) => "The input could not be read.",
    }
}

pub(super) fn header(html: &mut Html, report: &Report) {
    html.open("header", &[("class", "top")]);
    html.own("<p class=\"brand\">Foretell · report of one run</p>\n");
    html.open("h1", &[]);
    html.leaf("span", &[("class", "badge")], word(report.verdict));
    html.text(" ")
        .leaf("span", &[("class", "plain")], sentence(report));
    html.close("h1");
    html.open("p", &[("class", "file")]);
    html.leaf("code", &[], &report.input.path).close("p");
    html.open("dl", &[("class", "facts")]);
    let mut fact = |name: &str, value: &str| {
        html.own("<div>")
            .leaf("dt", &[], name)
            .leaf("dd", &[], value)
            .own("</div>\n");
    };
    fact("Answer", &report.answer);
    if let Some(format) = &report.input.format {
        fact("Format", format);
    }
    fact("Time", &seconds(report.seconds));
    let by: Vec<&str> = report
        .questions
        .iter()
        .filter_map(|q| q.by.as_deref())
        .collect();
    if let Some(first) = by.first() {
        fact("Found by", first);
    }
    fact("Size", &bytes(report.input.bytes));
    fact(
        "Version",
        &format!("{} ({})", report.tool.version, report.tool.commit),
    );
    fact("Seed", &report.tool.seed.to_string());
    html.close("dl");
    html.own("<details class=\"small\"><summary>Command and hash</summary>\n");
    html.open("p", &[]).text("Command: ");
    html.leaf("code", &[], &report.tool.command.join(" "))
        .close("p");
    html.open("p", &[]).text("SHA-256 of the input: ");
    html.leaf("code", &[], &report.input.sha256)
        .close("p")
        .close("details");
    properties(html, report);
    html.close("header");
}

/// One line per property when there are several.
fn properties(html: &mut Html, report: &Report) {
    if report.questions.len() < 2 {
        return;
    }
    html.own("<ul class=\"properties\">\n");
    for (number, question) in report.questions.iter().enumerate() {
        html.open("li", &[("class", class(question))]);
        let target = format!("#{}", anchor(number, question));
        html.leaf("span", &[("class", "badge")], word(question.verdict));
        html.text(" ")
            .leaf("a", &[("href", &target)], &question.name)
            .close("li");
    }
    html.close("ul");
}

fn class(question: &Question) -> &'static str {
    super::class(question.verdict)
}

/// The place of a property's section.
fn anchor(number: usize, question: &Question) -> String {
    let what = match (&question.trace, &question.proof) {
        (Some(_), _) => "trace",
        (None, Some(_)) => "proof",
        (None, None) => "reason",
    };
    format!("{what}-{number}")
}

pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        b if b < 10_000 => format!("{b} bytes"),
        b if b < 10_000_000 => format!("{} kB", b / 1000),
        b => format!("{} MB", b / 1_000_000),
    }
}

/// Who checked the answer, and what is trusted.
pub(super) fn belief(html: &mut Html, report: &Report) {
    let decided = |q: &&Question| matches!(q.verdict, Verdict::Safe | Verdict::Unsafe);
    let decided: Vec<&Question> = report.questions.iter().filter(decided).collect();
    if decided.is_empty() {
        return;
    }
    let mut body = Html::default();
    let format = report.input.format.as_deref();
    for question in &decided {
        if decided.len() > 1 {
            body.leaf("h3", &[], &question.name);
        }
        let nothing = question
            .proof
            .as_ref()
            .is_some_and(|p| p.certificate.is_empty());
        match nothing {
            true => body.leaf(
                "p",
                &[],
                "The program has no check of this kind, so none can fail.",
            ),
            false => body.leaf("p", &[], trust(question.verdict, format)),
        };
        for check in &question.checks {
            body.open("details", &[("class", "check")])
                .open("summary", &[]);
            let holding = check
                .obligations
                .iter()
                .filter(|o| o.status == "holds")
                .count();
            let all = check.obligations.len();
            body.leaf("span", &[("class", "tick"), ("aria-hidden", "true")], "✓");
            body.text(&format!(
                " Checked by {}: {}",
                check.by,
                match all {
                    1 => format!("{holding} of 1 obligation holds"),
                    _ => format!("{holding} of {all} obligations hold"),
                }
            ));
            if check.seconds > 0.0 {
                body.text(&format!(", {}", seconds(check.seconds)));
            }
            body.close("summary");
            body.own("<table><caption>Obligations</caption><thead><tr>");
            body.own("<th scope=\"col\">What must hold</th><th scope=\"col\">Result</th>");
            body.own("</tr></thead><tbody>\n");
            for obligation in &check.obligations {
                body.own("<tr>").leaf("td", &[], &obligation.what);
                body.leaf("td", &[], &obligation.status).own("</tr>\n");
            }
            body.own("</tbody></table>").close("details");
        }
    }
    html.section("belief", "Why to believe it", &body);
}

fn trust(verdict: Verdict, format: Option<&str>) -> &'static str {
    match (verdict, format == Some("c")) {
        (Verdict::Safe, false) => {
            "The invariant below was put to a fresh solver process, as obligations on the original \
             text of the input. Trusted are the text of the obligations and the solver's answer to \
             them; the engine that found the invariant is not."
        }
        (Verdict::Safe, true) => {
            "The proof was checked by a fresh solver process on the clauses that the program was \
             turned into. Trusted are the reader of C, its encoding, and the solver's answers."
        }
        (_, false) => {
            "Every step below was replayed by exact evaluation, without a solver, and asked again of \
             the original text where that was possible. The engine that found it is not trusted."
        }
        (_, true) => "The inputs below were given to the program, and it failed as shown.",
    }
}

/// What deserves attention although the input was read.
pub(super) fn warnings(html: &mut Html, report: &Report) {
    if report.input.warnings.is_empty() {
        return;
    }
    let mut body = Html::default();
    body.own("<p>They may change what the answer means.</p>\n");
    findings(&mut body, &report.input.warnings);
    html.section("warnings", "Warnings about the input", &body);
}

pub(super) fn findings(body: &mut Html, list: &[Finding]) {
    body.own("<ul class=\"findings\">\n");
    for finding in list {
        body.open("li", &[]);
        body.leaf("strong", &[], &finding.code)
            .text(" ")
            .prose(&finding.message);
        body.text(&format!(
            " (line {}, column {})",
            finding.line, finding.column
        ));
        if !finding.source.is_empty() {
            let label = format!("Line {}", finding.line);
            let region = [
                ("tabindex", "0"),
                ("role", "region"),
                ("aria-label", label.as_str()),
            ];
            body.open("pre", &region)
                .leaf("code", &[], &finding.source)
                .close("pre");
        }
        for note in &finding.notes {
            body.open("p", &[]).prose(note).close("p");
        }
        body.close("li");
    }
    body.close("ul");
}
