//! How a bad state is reached: the sentence, the steps one by one, all of them as a table, and the
//! formula that decides as a tree of values.

use super::html::Html;
use crate::model::{Cell, Change, Choices, Node, Role, Row, Step, Trace, TraceKind, Weight};

/// Tables of more columns are not drawn.
const MOST_COLUMNS: usize = 60;

pub(super) fn section(html: &mut Html, number: usize, trace: &Trace, name: &str) {
    let mut body = Html::default();
    body.open("p", &[("class", "cause")])
        .prose(&trace.cause)
        .close("p");
    choices(&mut body, trace.choices);
    if !trace.constants.is_empty() {
        body.own("<h3>The same in all steps</h3>\n");
        values(&mut body, &trace.constants, trace.choices);
    }
    stepper(&mut body, number, trace);
    overview(&mut body, number, trace);
    listing(&mut body, trace);
    if let Some(node) = &trace.failing {
        let title = match trace.kind {
            TraceKind::Run => "Why the property fails",
            TraceKind::Derivation | TraceKind::Program => "What the query asks for, with values",
        };
        body.leaf("h3", &[], title).own("<ul class=\"tree\">\n");
        tree(&mut body, node, 0);
        body.close("ul");
    }
    if !trace.certificate.is_empty() {
        body.own("<details class=\"more\"><summary>The text that was replayed</summary>\n");
        body.copied(
            &format!("certificate-{number}"),
            "the counterexample",
            &trace.certificate,
        );
        body.close("details");
    }
    let title = match name {
        "" => "How it goes wrong".to_owned(),
        name => format!("How {name} goes wrong"),
    };
    html.section(&format!("trace-{number}"), &title, &body);
}

/// What the marks of values mean.
fn choices(body: &mut Html, choices: Option<Choices>) {
    let Some(Choices { matter, all }) = choices else {
        return;
    };
    let (verb, rest) = (if matter == 1 { "matters" } else { "matter" }, all - matter);
    body.open("p", &[("class", "quiet")]);
    body.text(&format!(
        "Of {all} values that were chosen freely, {matter} {verb}"
    ));
    match rest {
        0 => body.text("; all others follow from them."),
        1 => body.text("; for one, any other would do, and it is shown as "),
        n => body.text(&format!(
            "; for {n}, any other would do, and they are shown as "
        )),
    };
    if rest > 0 {
        body.leaf("span", &[("class", "any")], "any")
            .text(". The rest follows.");
    }
    body.close("p");
}

fn stepper(body: &mut Html, number: usize, trace: &Trace) {
    if trace.steps.is_empty() {
        return;
    }
    body.own("<h3>Step by step</h3>\n");
    if trace.n_steps > trace.steps.len() {
        body.leaf(
            "p",
            &[("class", "quiet")],
            &format!(
                "{} of {} steps are shown: the first and the last ones.",
                trace.steps.len(),
                trace.n_steps
            ),
        );
    }
    body.own("<p class=\"legend\"><span class=\"key changed\">changed</span> ");
    if trace.kind != TraceKind::Program {
        body.own("<span class=\"key read\">read</span> ");
        body.own("<span class=\"key chosen\">chosen, and it matters</span> ");
        body.own("<span class=\"key\"><span class=\"any\">any</span> value will do</span>");
    }
    body.own("</p>\n");
    let id = format!("stepper-{number}");
    let attributes = [
        ("class", "stepper"),
        ("id", id.as_str()),
        ("role", "group"),
        ("aria-label", "Steps"),
    ];
    body.open("div", &attributes);
    for step in &trace.steps {
        card(body, number, step, trace);
    }
    body.close("div");
}

fn card(body: &mut Html, number: usize, step: &Step, trace: &Trace) {
    let id = format!("step-{number}-{}", step.number);
    let last = step.number + 1 == trace.n_steps;
    let class = if last { "step last" } else { "step" };
    body.open("article", &[("class", class), ("id", &id)]);
    body.open("h4", &[]);
    body.leaf(
        "span",
        &[("class", "count")],
        &format!("Step {}", step.number),
    );
    if let Some(line) = step.line {
        body.leaf("span", &[("class", "line")], &format!("line {line}"));
    }
    if trace.kind == TraceKind::Derivation && !step.premises.is_empty() {
        let from: Vec<String> = step.premises.iter().map(usize::to_string).collect();
        body.leaf(
            "span",
            &[("class", "line")],
            &format!("from step {}", from.join(", ")),
        );
    }
    body.close("h4");
    let title = match (trace.kind, step.title.as_str()) {
        (TraceKind::Derivation, "false") => "false: the query is met",
        (_, title) => title,
    };
    body.open("p", &[("class", "fact")])
        .leaf("code", &[], title)
        .close("p");
    values(body, &step.values, trace.choices);
    if let Some(source) = step
        .source
        .as_ref()
        .filter(|_| trace.kind != TraceKind::Run)
    {
        let label = format!("Source of step {}", step.number);
        body.open(
            "pre",
            &[
                ("class", "source"),
                ("tabindex", "0"),
                ("role", "region"),
                ("aria-label", &label),
            ],
        );
        body.leaf("code", &[], source).close("pre");
    }
    body.close("article");
}

fn values(body: &mut Html, rows: &[Row], choices: Option<Choices>) {
    if rows.is_empty() {
        return;
    }
    body.own("<dl class=\"values\">\n");
    for row in rows {
        body.open("div", &[("class", class(row.change, row.weight, choices))]);
        body.open("dt", &[]);
        let name = if row.name.is_empty() {
            "then"
        } else {
            &row.name
        };
        body.leaf("code", &[], name);
        if row.role == Role::Input {
            body.leaf("span", &[("class", "role")], "choice");
        }
        body.close("dt").open("dd", &[]);
        if row.cells.is_empty() {
            scalar(body, row, choices);
        } else {
            strip(body, row, choices);
        }
        body.close("dd").close("div");
    }
    body.close("dl");
}

fn scalar(body: &mut Html, row: &Row, choices: Option<Choices>) {
    match (row.weight, choices) {
        (Weight::Any, Some(_)) => {
            body.leaf("span", &[("class", "any")], "any");
            body.leaf(
                "span",
                &[("class", "was")],
                &format!(" (here {})", row.value),
            )
        }
        _ => body.leaf("code", &[], &row.value),
    };
    if row.change == Change::Changed {
        body.leaf("span", &[("class", "unseen")], " (changed)");
    }
}

fn strip(body: &mut Html, row: &Row, choices: Option<Choices>) {
    let label = format!("Cells of {}", row.name);
    body.open(
        "ol",
        &[
            ("class", "strip"),
            ("tabindex", "0"),
            ("aria-label", &label),
        ],
    );
    for cell in &row.cells {
        let mut class = class(cell.change, cell.weight, choices).to_owned();
        if cell.read {
            class += " read";
        }
        body.open("li", &[("class", class.trim())]);
        body.leaf("span", &[("class", "at")], &cell.at);
        body.leaf("span", &[("class", "unseen")], ": ");
        let free = cell.weight == Weight::Any && choices.is_some();
        match free {
            true => body.leaf("span", &[("class", "value any")], "any"),
            false => body.leaf("span", &[("class", "value")], &cell.value),
        };
        let words = marks(cell, choices);
        if !words.is_empty() {
            body.leaf("span", &[("class", "unseen")], &format!(" ({words})"));
        }
        body.close("li");
    }
    body.close("ol");
}

fn marks(cell: &Cell, choices: Option<Choices>) -> String {
    let mut words = Vec::new();
    if cell.change == Change::Changed {
        words.push("written");
    }
    if cell.read {
        words.push("read");
    }
    if cell.weight == Weight::Chosen && choices.is_some() {
        words.push("chosen");
    }
    words.join(", ")
}

fn class(change: Change, weight: Weight, choices: Option<Choices>) -> &'static str {
    let chosen = weight == Weight::Chosen && choices.is_some();
    match (change, chosen) {
        (Change::Changed, true) => "changed chosen",
        (Change::Changed, false) => "changed",
        (_, true) => "chosen",
        (_, false) => "",
    }
}

/// The source of a program with what happened beside its lines.
fn listing(body: &mut Html, trace: &Trace) {
    if trace.listing.is_empty() {
        return;
    }
    body.own("<h3>In the source</h3>\n");
    body.own("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Source\">\n");
    body.own("<table class=\"listing\"><caption>The path and its values</caption><thead><tr>");
    for head in ["Line", "Source", "Times", "Values"] {
        body.leaf("th", &[("scope", "col")], head);
    }
    body.own("</tr></thead><tbody>\n");
    for line in &trace.listing {
        let class = if line.visits > 0 { "on-path" } else { "" };
        body.open("tr", &[("class", class)]);
        body.leaf("td", &[], &line.number.to_string())
            .open("td", &[]);
        body.leaf("code", &[], &line.text).own("</td>");
        let visits = match line.visits {
            0 => String::new(),
            n => n.to_string(),
        };
        body.leaf("td", &[], &visits)
            .leaf("td", &[], &line.values.join("; "));
        body.own("</tr>\n");
    }
    body.own("</tbody></table></div>\n");
}

/// Variables as rows, steps as columns.
fn overview(body: &mut Html, number: usize, trace: &Trace) {
    let columns = trace.steps.len();
    if !(2..=MOST_COLUMNS).contains(&columns) || trace.kind == TraceKind::Program {
        return;
    }
    let mut names: Vec<&str> = Vec::new();
    for row in trace.steps.iter().flat_map(|s| &s.values) {
        if !names.contains(&row.name.as_str()) {
            names.push(&row.name);
        }
    }
    body.own("<details class=\"more\"><summary>All steps as a table</summary>\n");
    body.own("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All steps\">\n");
    body.own("<table class=\"overview\"><caption>Variables as rows, steps as columns</caption>");
    body.own("<thead><tr><th scope=\"col\">Variable</th>");
    for step in &trace.steps {
        body.open("th", &[("scope", "col")]);
        let target = format!("#step-{number}-{}", step.number);
        body.leaf("a", &[("href", &target)], &step.number.to_string())
            .own("</th>");
    }
    body.own("</tr></thead><tbody>\n");
    for name in names {
        body.own("<tr>")
            .open("th", &[("scope", "row")])
            .leaf("code", &[], name)
            .own("</th>");
        for step in &trace.steps {
            let row = step.values.iter().find(|r| r.name == name);
            match row {
                None => body.own("<td></td>"),
                Some(row) => {
                    let class = class(row.change, Weight::Follows, None);
                    body.leaf("td", &[("class", class)], &row.value)
                }
            };
        }
        body.own("</tr>\n");
    }
    body.own("</tbody></table></div>").close("details");
}

fn tree(body: &mut Html, node: &Node, depth: usize) {
    body.open("li", &[]);
    let label = |body: &mut Html| {
        body.leaf("code", &[("class", "math")], &node.text);
        if !node.value.is_empty() && node.value != node.text {
            let class = match node.value.as_str() {
                "true" => "truth yes",
                "false" => "truth no",
                _ => "truth",
            };
            body.text(" ")
                .leaf("span", &[("class", class)], &node.value);
        }
    };
    if node.parts.is_empty() {
        label(body);
    } else {
        match depth < 2 {
            true => body.open("details", &[("open", "")]),
            false => body.open("details", &[]),
        };
        body.open("summary", &[]);
        label(body);
        body.close("summary").own("<ul>\n");
        node.parts
            .iter()
            .for_each(|part| tree(body, part, depth + 1));
        body.close("ul").close("details");
    }
    body.close("li");
}
