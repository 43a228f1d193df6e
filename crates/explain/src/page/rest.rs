//! The other parts: refusals, reasons, hints, what was learnt, what was cut.

use foretell_driver::worker::statistics::numbered;

use super::head::findings;
use super::html::Html;
use super::proof::{invariant, nobody};
use crate::model::Report;

pub(super) fn refusal(html: &mut Html, report: &Report) {
    let Some(refusal) = &report.refusal else {
        return;
    };
    let mut body = Html::default();
    body.open("p", &[("class", "cause")])
        .text(&refusal.message)
        .close("p");
    if !refusal.findings.is_empty() {
        findings(&mut body, &refusal.findings);
    }
    html.section("refusal", "What is wrong", &body);
}

pub(super) fn reason(html: &mut Html, number: usize, reason: &str, name: &str) {
    let mut body = Html::default();
    body.open("p", &[("class", "cause")])
        .text("The reason given: ")
        .text(reason)
        .close("p");
    body.own(
        "<p>This says nothing about the input: neither that it is safe nor that it is not.</p>\n",
    );
    let title = match name {
        "" => "Why there is no answer".to_owned(),
        name => format!("Why there is no answer for {name}"),
    };
    html.section(&format!("reason-{number}"), &title, &body);
}

/// The proof obligation that came back most often.
pub(super) fn returning(html: &mut Html, report: &Report) {
    let Some(back) = &report.returning else {
        return;
    };
    let mut body = Html::default();
    let levels = match back.lowest == back.highest {
        true => format!("at level {}", back.lowest),
        false => format!("at levels {} to {}", back.lowest, back.highest),
    };
    body.open("p", &[("class", "cause")])
        .leaf("code", &[], &back.by);
    body.text(&format!(
        " had to show {} times, {levels}, that no state with these properties is reached:",
        back.times
    ));
    body.close("p");
    if let Some(formula) = &back.formula {
        body.copied("returning-text", "the obligation", formula);
    } else {
        let words = format!("Its text is too long: it has {} literals.", back.literals);
        body.leaf("p", &[("class", "quiet")], &words);
    }
    body.own(
        "<p class=\"quiet\">In the words of the engine, which may have changed the problem. An \
              obligation that comes back at rising levels says what the engine cannot \
              generalise.</p>\n",
    );
    html.section("returning", "What came back most often", &body);
}

pub(super) fn hints(html: &mut Html, report: &Report) {
    if report.hints.is_empty() {
        return;
    }
    let mut body = Html::default();
    body.own("<ul class=\"hints\">\n");
    for hint in &report.hints {
        body.open("li", &[])
            .open("p", &[])
            .prose(&hint.advice)
            .close("p");
        body.open("p", &[("class", "quiet")])
            .text("Seen: ")
            .prose(&hint.seen)
            .close("p");
        body.close("li");
    }
    body.close("ul");
    html.section("next", "What to try next", &body);
}

pub(super) fn learned(html: &mut Html, report: &Report) {
    let Some(learned) = &report.learned else {
        return;
    };
    let mut body = Html::default();
    if learned.parts.is_empty() {
        body.own("<p>Nothing was proved about reachable states.</p>\n");
    } else {
        body.own(
            "<p>This holds in every reachable state; it was proved and checked, but it is not \
                  enough. As a file for <code>--hints</code>, with what is missing added, it may \
                  help.</p>\n",
        );
    }
    for (place, part) in learned.parts.iter().enumerate() {
        invariant(&mut body, &format!("learned-{place}"), part, &nobody);
    }
    if !learned.definitions.is_empty() {
        body.copied("learned-text", "the partial model", &learned.definitions);
    }
    if learned.candidates > 0 {
        let more = numbered(learned.candidates as u64, "formulas");
        let words = format!("Not proved: {more}.");
        body.leaf("p", &[("class", "quiet")], &words);
    }
    html.section("learned", "What was learnt", &body);
}

pub(super) fn cuts(html: &mut Html, report: &Report) {
    if report.cuts.is_empty() {
        return;
    }
    let mut body = Html::default();
    body.own("<ul>\n");
    for cut in &report.cuts {
        body.leaf("li", &[], cut);
    }
    body.close("ul");
    html.section("cuts", "What this page leaves out", &body);
}

pub(super) fn footer(html: &mut Html, report: &Report) {
    html.own("<footer>\n").open("p", &[]);
    html.text(&format!(
        "Made by Foretell {} ({}). ",
        report.tool.version, report.tool.commit
    ));
    html.text("The page loads nothing and sends nothing; without its script it says the same.");
    html.close("p").close("footer");
}
