//! One page that explains a run: HTML written here, complete without JavaScript.
//!
//! ```text
//! head        content policy: nothing may be loaded; one style and one script, by their hashes
//! header      the verdict in words, the file, who ran
//! belief      who checked the answer, and what is trusted
//! answers     per property: proof (invariants, auxiliary variables), or trace (stepper), or reason
//! next        hints, for `unknown`
//! time        lanes of engines, how far each came, what they told each other
//! clauses     the graph
//! ```
//!
//! The script (`page.js`) only adds: stepping, the slider of time, copying, opening all for print.

mod deeds;
mod graph;
mod head;
mod html;
mod proof;
mod rest;
mod time;
mod trace;

use sha2::{Digest, Sha256};

use crate::bound;
use crate::model::{Question, Report, Verdict};
use html::Html;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a report, within the size that pages may have.
pub fn page(report: &Report) -> String {
    bound::within(report, whole)
}

fn whole(report: &Report) -> String {
    let mut html = Html::default();
    html.own("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    html.open(
        "meta",
        &[
            ("http-equiv", "Content-Security-Policy"),
            ("content", &policy),
        ],
    );
    html.own("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.own("<meta name=\"color-scheme\" content=\"light dark\">\n");
    let title = format!(
        "{}: {} – Foretell",
        head::word(report.verdict),
        report.input.path
    );
    html.leaf("title", &[], &title);
    html.own("\n<style>").own(STYLE).own("</style>\n</head>\n");
    html.open("body", &[("class", class(report.verdict))]);
    html.own("<a class=\"skip\" href=\"#main\">Skip to the answer</a>\n");
    head::header(&mut html, report);
    html.own("<main id=\"main\">\n");
    body(&mut html, report);
    html.own("</main>\n");
    rest::footer(&mut html, report);
    html.own("<script>")
        .own(SCRIPT)
        .own("</script>\n</body>\n</html>\n");
    html.into_string()
}

fn body(html: &mut Html, report: &Report) {
    rest::refusal(html, report);
    head::belief(html, report);
    head::warnings(html, report);
    if let [question] = report.questions.as_slice() {
        answer(html, 0, question, "");
    } else {
        for (number, question) in report.questions.iter().enumerate() {
            answer(html, number, question, &question.name);
        }
    }
    rest::returning(html, report);
    rest::hints(html, report);
    rest::learned(html, report);
    time::timeline(html, report);
    graph::section(html, report);
    rest::cuts(html, report);
}

/// What there is to say about one property.
fn answer(html: &mut Html, number: usize, question: &Question, name: &str) {
    if let Some(reason) = &question.reason {
        rest::reason(html, number, reason, name);
    }
    if let Some(found) = &question.trace {
        trace::section(html, number, found, name);
    }
    if let Some(found) = &question.proof {
        proof::section(html, number, found, name);
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
        Verdict::Refused => "refused",
    }
}

/// The hash of an inline text as content policies write it.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// Bytes in base 64 (RFC 4648), for hashes only.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4usize {
            let digit = bits >> (18 - 6 * place) & 63;
            match place <= chunk.len() {
                true => out.push(char::from(DIGITS[digit as usize])),
                false => out.push('='),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base_64_is_that_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
