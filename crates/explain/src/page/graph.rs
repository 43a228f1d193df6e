//! The clauses as a graph: predicates are boxes, clauses are arrows, facts enter from the top, queries
//! leave at the bottom. Layers by the longest way from a fact, without the arrows that close a loop.

use super::html::Html;
use crate::model::{Edge, Graph, Report};

/// Larger graphs are listed, not drawn.
const MOST_NODES: usize = 40;
const MOST_EDGES: usize = 160;

const BOX_WIDTH: f64 = 150.0;
const BOX_HEIGHT: f64 = 34.0;
const GAP_X: f64 = 40.0;
const GAP_Y: f64 = 56.0;
const MARGIN: f64 = 46.0;

pub(super) fn section(html: &mut Html, report: &Report) {
    let Some(graph) = report.graph.as_ref().filter(|g| !g.nodes.is_empty()) else {
        return;
    };
    let mut body = Html::default();
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    body.leaf(
        "p",
        &[],
        &format!(
            "{}, {}. Facts enter at the top, queries leave at the bottom.",
            count(nodes, "predicate"),
            count(edges, "clause")
        ),
    );
    if nodes <= MOST_NODES && edges <= MOST_EDGES {
        draw(&mut body, graph);
    }
    body.own("<details class=\"more\"><summary>The clauses as a list</summary>\n<ul>\n");
    for edge in &graph.edges {
        body.leaf("li", &[], &words(graph, edge));
    }
    body.close("ul").close("details");
    html.section("clauses", "The clauses", &body);
}

fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

fn name(graph: &Graph, node: usize) -> &str {
    graph.nodes.get(node).map_or("?", String::as_str)
}

fn words(graph: &Graph, edge: &Edge) -> String {
    let from: Vec<&str> = edge.from.iter().map(|&n| name(graph, n)).collect();
    let from = if from.is_empty() {
        "a fact".to_owned()
    } else {
        from.join(" and ")
    };
    let to = edge.to.map_or("false (a query)", |n| name(graph, n));
    format!("line {}: {from} → {to}", edge.line)
}

/// The layer of each node: one more than the highest before it, loops aside.
fn layers(graph: &Graph) -> Vec<usize> {
    let n = graph.nodes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); n];
    for edge in &graph.edges {
        if let Some(to) = edge.to.filter(|&to| to < n) {
            for &from in edge.from.iter().filter(|&&f| f < n && f != to) {
                next[from].push(to);
            }
        }
    }
    let forward = without_loops(graph, &next);
    let mut layer = vec![0; n];
    // At most n rounds: every round settles one more layer.
    for _ in 0..n {
        for &(from, to) in &forward {
            layer[to] = layer[to].max(layer[from] + 1).min(n);
        }
    }
    layer
}

/// The arrows that close no loop in a depth-first walk from the facts.
fn without_loops(graph: &Graph, next: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let n = next.len();
    let facts = graph.edges.iter().filter(|e| e.from.is_empty());
    let starts = facts.filter_map(|e| e.to).filter(|&t| t < n).chain(0..n);
    let (mut entered, mut left, mut forward) = (vec![false; n], vec![false; n], Vec::new());
    for start in starts {
        let mut path = vec![(start, 0)];
        if entered[start] {
            continue;
        }
        entered[start] = true;
        while let Some((node, place)) = path.pop() {
            let Some(&to) = next[node].get(place) else {
                left[node] = true;
                continue;
            };
            path.push((node, place + 1));
            if !entered[to] {
                entered[to] = true;
                path.push((to, 0));
            }
            // A node that was entered and not left is on the path: the arrow closes a loop.
            if left[to] || path.last().is_some_and(|last| *last == (to, 0)) {
                forward.push((node, to));
            }
        }
    }
    forward
}

/// Where the boxes are.
struct Layout {
    at: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

fn layout(graph: &Graph) -> Layout {
    let layer = layers(graph);
    let mut used: Vec<usize> = layer.clone();
    used.sort_unstable();
    used.dedup();
    let rows: Vec<Vec<usize>> = used
        .iter()
        .map(|&l| (0..layer.len()).filter(|&n| layer[n] == l).collect())
        .collect();
    let widest = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let width = 2.0 * MARGIN + widest * BOX_WIDTH + (widest - 1.0) * GAP_X;
    let mut at = vec![(0.0, 0.0); layer.len()];
    for (row, nodes) in rows.iter().enumerate() {
        let n = nodes.len() as f64;
        let own = n * BOX_WIDTH + (n - 1.0) * GAP_X;
        for (place, &node) in nodes.iter().enumerate() {
            let x = (width - own) / 2.0 + place as f64 * (BOX_WIDTH + GAP_X);
            at[node] = (x, MARGIN + row as f64 * (BOX_HEIGHT + GAP_Y));
        }
    }
    let height = 2.0 * MARGIN + rows.len() as f64 * (BOX_HEIGHT + GAP_Y) - GAP_Y;
    Layout { at, width, height }
}

fn draw(body: &mut Html, graph: &Graph) {
    let layout = layout(graph);
    let (width, height) = (
        format!("{:.0}", layout.width),
        format!("{:.0}", layout.height),
    );
    let view = format!("0 0 {width} {height}");
    body.own("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Graph of the clauses\">\n");
    let attributes = [
        ("class", "graph"),
        ("viewBox", view.as_str()),
        ("width", width.as_str()),
        ("height", height.as_str()),
        ("role", "img"),
        (
            "aria-label",
            "Predicates and clauses; the list below says the same",
        ),
    ];
    body.open("svg", &attributes);
    body.own(
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
              markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" d=\"M0 0 L8 4 L0 8 z\"></path>\
              </marker></defs>\n",
    );
    arrows(body, graph, &layout);
    boxes(body, graph, &layout);
    body.close("svg").close("div");
}

fn arrows(body: &mut Html, graph: &Graph, layout: &Layout) {
    let mut drawn: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for edge in &graph.edges {
        let sources: Vec<Option<usize>> = match edge.from.is_empty() {
            true => vec![None],
            false => edge.from.iter().map(|&f| Some(f)).collect(),
        };
        for from in sources {
            let again = drawn.iter().filter(|d| **d == (from, edge.to)).count();
            drawn.push((from, edge.to));
            if again < 3 {
                arrow(body, layout, (from, edge.to), again);
            }
        }
    }
}

fn boxes(body: &mut Html, graph: &Graph, layout: &Layout) {
    for (node, &(x, y)) in layout.at.iter().enumerate() {
        let (left, top) = (format!("{x:.0}"), format!("{y:.0}"));
        let size = [("width", "150"), ("height", "34"), ("rx", "8")];
        body.open(
            "rect",
            &[
                ("class", "node"),
                ("x", &left),
                ("y", &top),
                size[0],
                size[1],
                size[2],
            ],
        );
        body.own("</rect>");
        let middle = format!("{:.0}", x + BOX_WIDTH / 2.0);
        let base = format!("{:.0}", y + BOX_HEIGHT / 2.0 + 4.5);
        let label: String = name(graph, node).chars().take(18).collect();
        let label = if name(graph, node).chars().count() > 18 {
            label + "…"
        } else {
            label
        };
        body.leaf(
            "text",
            &[("x", &middle), ("y", &base), ("text-anchor", "middle")],
            &label,
        );
    }
}

/// An arrow between boxes, from above, to below, or round.
fn arrow(body: &mut Html, layout: &Layout, ends: (Option<usize>, Option<usize>), again: usize) {
    let at = |node: usize| layout.at.get(node).copied().unwrap_or((0.0, 0.0));
    let shift = again as f64 * 14.0;
    let (path, class) = match ends {
        (None, Some(to)) => {
            let (x, y) = at(to);
            let x = x + BOX_WIDTH / 2.0 - shift;
            (
                format!("M{x:.0} {:.0} L{x:.0} {y:.0}", y - 30.0),
                "edge fact",
            )
        }
        (Some(from), None) => {
            let (x, y) = at(from);
            let (x, y) = (x + BOX_WIDTH / 2.0 - shift, y + BOX_HEIGHT);
            (
                format!("M{x:.0} {y:.0} L{x:.0} {:.0}", y + 30.0),
                "edge query",
            )
        }
        (Some(from), Some(to)) if from == to => {
            let (x, y) = at(from);
            let (x, out) = (x + BOX_WIDTH, 34.0 + shift);
            let (a, b) = (y + 8.0, y + BOX_HEIGHT - 8.0);
            (
                format!(
                    "M{x:.0} {a:.0} C{:.0} {:.0} {:.0} {:.0} {x:.0} {b:.0}",
                    x + out,
                    a - 10.0,
                    x + out,
                    b + 10.0
                ),
                "edge loop",
            )
        }
        (Some(from), Some(to)) => between(at(from), at(to), shift),
        (None, None) => return,
    };
    body.open(
        "path",
        &[
            ("class", class),
            ("d", &path),
            ("marker-end", "url(#arrow)"),
        ],
    );
    body.own("</path>\n");
}

fn between(from: (f64, f64), to: (f64, f64), shift: f64) -> (String, &'static str) {
    let half = BOX_WIDTH / 2.0;
    if to.1 > from.1 {
        let (x1, y1) = (from.0 + half + shift, from.1 + BOX_HEIGHT);
        let (x2, y2) = (to.0 + half + shift, to.1);
        let bend = (y2 - y1) / 2.0;
        let path = format!(
            "M{x1:.0} {y1:.0} C{x1:.0} {:.0} {x2:.0} {:.0} {x2:.0} {y2:.0}",
            y1 + bend,
            y2 - bend
        );
        return (path, "edge");
    }
    // Back to an earlier layer: round the left side.
    let (x1, y1) = (from.0, from.1 + BOX_HEIGHT / 2.0);
    let (x2, y2) = (to.0, to.1 + BOX_HEIGHT / 2.0);
    let out = x1.min(x2) - 30.0 - shift;
    (
        format!("M{x1:.0} {y1:.0} C{out:.0} {y1:.0} {out:.0} {y2:.0} {x2:.0} {y2:.0}"),
        "edge back",
    )
}
