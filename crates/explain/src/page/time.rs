//! How it came about: a lane per engine on one axis, how far each came, what they told each other.

use foretell_driver::worker::statistics::numbered;
use serde_json::json;

use super::deeds;
use super::head::{bytes, seconds};
use super::html::Html;
use crate::model::{Report, Run, Sample};

/// The width of a lane in its own units.
const WIDTH: f64 = 1000.0;

pub(super) fn timeline(html: &mut Html, report: &Report) {
    if report.runs.is_empty() {
        return;
    }
    let ends = report.runs.iter().map(|run| run.start + run.seconds);
    let whole = ends.fold(report.seconds, f64::max).max(0.001);
    let mut body = Html::default();
    body.own("<p>Each lane is one configuration of an engine; a bar is a turn it had.</p>\n");
    legend(&mut body);
    lanes(&mut body, report, whole);
    runs(&mut body, report);
    told(&mut body, report);
    deeds::tables(&mut body, report);
    if !report.waiting.is_empty() {
        body.leaf(
            "p",
            &[],
            &format!("Never got a turn: {}.", report.waiting.join(", ")),
        );
    }
    data(&mut body, report, whole);
    html.section("time", "How it came about", &body);
}

fn legend(body: &mut Html) {
    body.own("<p class=\"legend\">");
    for (class, word) in [
        ("key p-start", "reading and passes"),
        ("key p-search", "search"),
        ("key p-refine", "refinement"),
        ("key p-check", "checking an answer"),
    ] {
        body.leaf("span", &[("class", class)], word).text(" ");
    }
    body.own("<span class=\"key frame\">frame or bound</span></p>\n");
}

/// What a phase belongs to.
fn phase(name: &str) -> &'static str {
    let first = name.split(' ').next().unwrap_or(name);
    match first {
        "parse" | "pass" | "idle" | "other" => "p-start",
        "refine" | "interpolate" => "p-refine",
        "certify" => "p-check",
        _ => "p-search",
    }
}

fn lanes(body: &mut Html, report: &Report, whole: f64) {
    let mut names: Vec<&str> = Vec::new();
    for run in &report.runs {
        if !names.contains(&run.name.as_str()) {
            names.push(&run.name);
        }
    }
    body.own("<div class=\"slider\" id=\"time-slider\" hidden></div>\n");
    body.own("<ul class=\"lanes\">\n");
    for name in names {
        let own: Vec<&Run> = report.runs.iter().filter(|r| r.name == name).collect();
        let won = own.iter().any(|r| r.answered);
        body.open("li", &[("class", if won { "won" } else { "" })]);
        body.open("div", &[("class", "name")])
            .leaf("code", &[], name);
        if won {
            body.leaf("span", &[("class", "role")], "answered");
        }
        body.close("div");
        let label = description(name, &own);
        let attributes = [
            ("class", "lane"),
            ("viewBox", "0 0 1000 24"),
            ("preserveAspectRatio", "none"),
            ("role", "img"),
            ("aria-label", label.as_str()),
        ];
        body.open("svg", &attributes);
        body.own("<rect class=\"ground\" x=\"0\" y=\"0\" width=\"1000\" height=\"24\"></rect>");
        own.iter().for_each(|run| bar(body, run, whole));
        body.own("<line class=\"cursor\" x1=\"-9\" x2=\"-9\" y1=\"0\" y2=\"24\"></line>");
        body.close("svg").close("li");
    }
    body.close("ul");
    body.own("<div class=\"axis\" aria-hidden=\"true\">");
    for part in 0..=4 {
        let at = whole * f64::from(part) / 4.0;
        body.leaf("span", &[], &seconds(at));
    }
    body.close("div");
}

fn description(name: &str, runs: &[&Run]) -> String {
    let turns: Vec<String> = runs
        .iter()
        .map(|r| format!("from {} for {}", seconds(r.start), seconds(r.seconds)))
        .collect();
    format!("{name} ran {}", turns.join(", "))
}

/// A turn: its phases one after the other, and a tick for every new frame or bound.
fn bar(body: &mut Html, run: &Run, whole: f64) {
    let place = |at: f64| (at / whole * WIDTH).clamp(0.0, WIDTH);
    let end = run.start + run.seconds;
    let mut segments: Vec<(f64, &str)> = vec![(run.start, "p-start")];
    for sample in &run.samples {
        let class = phase(&sample.phase);
        if segments.last().is_some_and(|last| last.1 != class) {
            segments.push((sample.at, class));
        }
    }
    for (number, (from, class)) in segments.iter().enumerate() {
        let to = segments.get(number + 1).map_or(end, |next| next.0);
        let (x, width) = (place(*from), (place(to) - place(*from)).max(2.0));
        let (x, width) = (format!("{x:.1}"), format!("{width:.1}"));
        let attributes = [
            ("class", *class),
            ("x", &x),
            ("y", "3"),
            ("width", &width),
            ("height", "18"),
        ];
        body.open("rect", &attributes).own("</rect>");
    }
    let mut height = (None, None);
    for sample in &run.samples {
        let now = (sample.bound, sample.frame);
        if now > height {
            height = now;
            let x = format!("{:.1}", place(sample.at));
            body.open(
                "line",
                &[
                    ("class", "tick"),
                    ("x1", &x),
                    ("x2", &x),
                    ("y1", "3"),
                    ("y2", "21"),
                ],
            );
            body.own("</line>");
        }
    }
}

fn runs(body: &mut Html, report: &Report) {
    body.own("<h3>How far each engine came</h3>\n");
    body.own(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Runs of engines\">\n",
    );
    body.own(
        "<table class=\"runs\"><caption>Runs in the order of their start</caption><thead><tr>",
    );
    for head in ["Configuration", "Start", "Time", "Memory", "End", "How far"] {
        body.leaf("th", &[("scope", "col")], head);
    }
    body.own("</tr></thead><tbody>\n");
    for run in &report.runs {
        body.own("<tr>")
            .open("th", &[("scope", "row")])
            .leaf("code", &[], &run.name);
        if let Some(number) = run.property {
            body.text(&format!(" (property {number})"));
        }
        body.own("</th>").leaf("td", &[], &seconds(run.start));
        body.leaf("td", &[], &seconds(run.seconds));
        body.leaf("td", &[], &bytes(run.memory));
        body.leaf("td", &[], &run.end)
            .leaf("td", &[], &run.reach)
            .own("</tr>\n");
    }
    body.own("</tbody></table></div>\n");
    let longest = report
        .runs
        .iter()
        .max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    body.own("<details class=\"more\"><summary>Where the time went</summary>\n");
    for run in &report.runs {
        let is_worth = run.answered || longest.is_some_and(|l| run.seconds >= l.seconds / 4.0);
        if is_worth {
            phases(body, run);
        }
    }
    body.close("details");
}

/// The phases of a run, longest first. A phase counts what is inside it too.
fn phases(body: &mut Html, run: &Run) {
    let mut list: Vec<(&String, &f64)> = run.phases.iter().collect();
    list.sort_by(|a, b| b.1.total_cmp(a.1));
    list.retain(|(_, s)| **s >= run.seconds / 100.0);
    list.truncate(12);
    if list.is_empty() {
        return;
    }
    body.open("table", &[("class", "phases")]);
    body.leaf(
        "caption",
        &[],
        &format!(
            "{}: {} in all; a phase counts what is inside it too",
            run.name,
            seconds(run.seconds)
        ),
    );
    body.own("<thead><tr><th scope=\"col\">Phase</th><th scope=\"col\">Time</th>");
    body.own("<th scope=\"col\">Share</th></tr></thead><tbody>\n");
    for (name, time) in list {
        let share = (time / run.seconds.max(0.001)).min(1.0);
        body.own("<tr>").leaf("th", &[("scope", "row")], name);
        body.leaf("td", &[], &seconds(*time)).own("<td>");
        let width = format!("{:.1}", share * 100.0);
        body.own("<svg class=\"share\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
        body.own("<rect class=\"ground\" x=\"0\" y=\"0\" width=\"100\" height=\"10\"></rect>");
        body.open(
            "rect",
            &[
                ("class", phase(name)),
                ("x", "0"),
                ("y", "0"),
                ("width", &width),
                ("height", "10"),
            ],
        );
        body.own("</rect></svg>")
            .text(&format!("{:.0} %", share * 100.0))
            .own("</td></tr>\n");
    }
    body.own("</tbody></table>\n");
}

/// What engines told each other.
fn told(body: &mut Html, report: &Report) {
    if report.told.is_empty() {
        return;
    }
    let n = report.told.len();
    body.open("details", &[("class", "more"), ("id", "told")]);
    let n = numbered(n as u64, "formulas");
    body.open("summary", &[])
        .text(&format!("What engines told each other: {n}"));
    body.close("summary");
    body.own(
        "<p>Lemmas and guesses, which nobody has to believe: whoever hears one proves it again \
              or leaves it.</p>\n",
    );
    body.own(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Formulas told\">\n",
    );
    body.own(
        "<table class=\"told\"><caption>In the order in which they were told</caption><thead><tr>",
    );
    for head in ["At", "By", "About", "Formula"] {
        body.leaf("th", &[("scope", "col")], head);
    }
    body.own("</tr></thead><tbody>\n");
    for told in &report.told {
        let at = format!("{:.3}", told.at);
        body.open("tr", &[("data-at", &at)])
            .leaf("td", &[], &seconds(told.at));
        body.leaf("td", &[], &told.by);
        let about = if told.about.is_empty() {
            "the state"
        } else {
            &told.about
        };
        body.leaf("td", &[], about).open("td", &[]);
        body.leaf("code", &[("class", "math")], &told.formula)
            .own("</td></tr>\n");
    }
    body.own("</tbody></table></div>").close("details");
}

/// What the slider needs, as data that nobody runs.
fn data(body: &mut Html, report: &Report, whole: f64) {
    let sample = |s: &Sample| json!([s.at, s.bound, s.frame, s.lemmas, s.auxiliaries, s.phase]);
    let run = |r: &Run| {
        let samples: Vec<_> = r.samples.iter().map(sample).collect();
        json!({ "name": r.name, "start": r.start, "end": r.start + r.seconds, "samples": samples })
    };
    let runs: Vec<_> = report.runs.iter().map(run).collect();
    let text = json!({ "seconds": whole, "runs": runs }).to_string();
    body.own("<script type=\"application/json\" id=\"data\">");
    body.json(&text).own("</script>\n");
}
