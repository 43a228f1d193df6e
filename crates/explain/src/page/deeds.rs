//! What engines did, one by one: a table of lemmas and proof obligations per run.

use foretell_driver::worker::statistics::numbered;

use super::head::seconds;
use super::html::Html;
use crate::model::{Deed, DeedKind, Report, Run};

/// The lemmas and obligations of all runs that have some.
pub(super) fn tables(body: &mut Html, report: &Report) {
    let runs = report.runs.iter().enumerate();
    for (number, run) in runs.filter(|(_, run)| !run.events.is_empty()) {
        body.open("details", &[("class", "more deeds")]);
        body.leaf("summary", &[], &summary(run));
        body.own(
            "<p>In the words of the engine, which may have changed the problem. A lemma holds in every \
                  state that is reached in so many steps as its level says; an obligation asks for \
                  states that must not be among them.</p>\n",
        );
        let label = format!("Lemmas and obligations of run {number}");
        table(body, &label, run);
        body.close("details");
    }
}

fn summary(run: &Run) -> String {
    let n = |kind| run.events.iter().filter(|d| d.kind == kind).count() as u64;
    let shown = [
        ("lemmas", n(DeedKind::Lemma)),
        ("obligations", n(DeedKind::Obligation)),
    ];
    let words = shown.map(|(what, here)| {
        let all = run.counts.get(what).copied().unwrap_or(here).max(here);
        match all == here {
            true => numbered(here, what),
            false => format!("{here} of {}", numbered(all, what)),
        }
    });
    let property = run.property.map(|n| format!(" (property {n})"));
    let property = property.unwrap_or_default();
    format!("What {}{property} did: {}", run.name, words.join(", "))
}

fn table(body: &mut Html, label: &str, run: &Run) {
    let attributes = [
        ("class", "scroll"),
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", label),
    ];
    body.open("div", &attributes);
    body.own(
        "<table class=\"told\"><caption>In the order in which it happened</caption><thead><tr>",
    );
    for head in ["At", "What", "Level", "Literals", "Formula"] {
        body.leaf("th", &[("scope", "col")], head);
    }
    body.own("</tr></thead><tbody>\n");
    for deed in &run.events {
        let (at, kind) = (format!("{:.4}", deed.at), kind(deed.kind));
        body.open("tr", &[("data-at", &at), ("data-kind", kind)]);
        body.leaf("td", &[], &seconds(deed.at))
            .leaf("td", &[], &what(deed));
        body.leaf("td", &[], &deed.level.to_string());
        body.leaf("td", &[], &deed.literals.to_string())
            .open("td", &[]);
        if let Some(formula) = &deed.formula {
            body.leaf("code", &[], formula);
        }
        body.own("</td></tr>\n");
    }
    body.own("</tbody></table></div>\n");
}

fn kind(kind: DeedKind) -> &'static str {
    match kind {
        DeedKind::Lemma => "lemma",
        DeedKind::Obligation => "obligation",
    }
}

/// What it was: the same obligation has the same number.
fn what(deed: &Deed) -> String {
    match (deed.kind, deed.number, deed.times) {
        (DeedKind::Lemma, ..) => "lemma".to_owned(),
        (DeedKind::Obligation, Some(number), Some(times)) if times > 1 => {
            format!("obligation {number}, time {times}")
        }
        (DeedKind::Obligation, Some(number), _) => format!("obligation {number}"),
        (DeedKind::Obligation, None, _) => "obligation".to_owned(),
    }
}
