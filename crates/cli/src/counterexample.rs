//! Counterexamples for people: a table of steps, arrays sparse.

use std::fmt::Write;

use foretell_driver::Counterexample;
use foretell_explain::{cells, listed, value};
use foretell_systems::plain::{Plain, PlainFact, PlainState, PlainStep, Tables, Values};

/// Tables wider than this are written as blocks.
const WIDTH: usize = 100;

/// The counterexample as text.
pub(crate) fn table(counterexample: &Counterexample) -> String {
    match counterexample {
        Counterexample::Run {
            rigid,
            functions,
            states,
            ..
        } => constants(rigid) + &tables(functions) + &run(states),
        Counterexample::Derivation {
            functions, steps, ..
        } => tables(functions) + &derivation(steps),
    }
}

fn run(states: &[PlainState]) -> String {
    let mut out = String::new();
    let names = names(states);
    let mut header = vec!["step".to_owned()];
    header.extend(names.iter().map(|name| (*name).to_owned()));
    let rows: Vec<Vec<String>> = states
        .iter()
        .enumerate()
        .map(|(n, state)| row(n, state, &names, states.len()))
        .collect();
    let widths = widths(&header, &rows);
    if widths.iter().map(|w| w + 2).sum::<usize>() <= WIDTH {
        for cells in std::iter::once(&header).chain(&rows) {
            line(&mut out, cells, &widths);
        }
    } else {
        blocks(&mut out, states);
    }
    out
}

/// The state variables, then the inputs that matter in some step.
pub(crate) fn names(states: &[PlainState]) -> Vec<&str> {
    let variables = states.iter().flat_map(|state| state.values.keys());
    let inputs = states.iter().flat_map(|state| state.inputs.keys());
    let mut names: Vec<&str> = Vec::new();
    for name in variables.chain(inputs) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// The value of a symbol in a state.
pub(crate) fn at<'s>(state: &'s PlainState, name: &str) -> Option<&'s Plain> {
    state.values.get(name).or_else(|| state.inputs.get(name))
}

/// One line: an input without a value may have any; the last state has no inputs.
fn row(n: usize, state: &PlainState, names: &[&str], n_states: usize) -> Vec<String> {
    let missing = if n + 1 == n_states { "" } else { "any" };
    let cell = |name: &&str| at(state, name).map_or_else(|| missing.to_owned(), value);
    std::iter::once(n.to_string())
        .chain(names.iter().map(cell))
        .collect()
}

/// One block per state, with what changed since the last one.
fn blocks(out: &mut String, states: &[PlainState]) {
    let mut before = &Values::default();
    for (n, state) in states.iter().enumerate() {
        let _ = writeln!(out, "step {n}");
        for (name, now) in state
            .values
            .iter()
            .filter(|(n, v)| before.get(*n) != Some(v))
        {
            let _ = writeln!(out, "  {name} = {}", value(now));
        }
        for (name, now) in &state.inputs {
            let _ = writeln!(out, "  input {name} = {}", value(now));
        }
        before = &state.values;
    }
}

fn derivation(steps: &[PlainStep]) -> String {
    let mut out = String::new();
    let header = ["step", "fact", "from", "line"].map(str::to_owned);
    let rows: Vec<Vec<String>> = steps
        .iter()
        .enumerate()
        .map(|(n, step)| {
            let from: Vec<String> = step.premises.iter().map(usize::to_string).collect();
            let line = step.line.map_or_else(String::new, |line| line.to_string());
            let fact = fact(step.derives.as_ref());
            vec![n.to_string(), fact, from.join(" "), line]
        })
        .collect();
    let widths = widths(&header, &rows);
    for cells in std::iter::once(&header.to_vec()).chain(&rows) {
        line(&mut out, cells, &widths);
    }
    out
}

fn constants(values: &Values) -> String {
    let lines = values
        .iter()
        .map(|(name, v)| format!("{name} = {}\n", value(v)));
    lines.collect()
}

fn tables(functions: &Tables) -> String {
    let lines = functions
        .iter()
        .map(|(name, t)| format!("{name} = {}\n", cells(t)));
    lines.collect()
}

fn fact(fact: Option<&PlainFact>) -> String {
    match fact {
        None => "false".to_owned(),
        Some(fact) if fact.arguments.is_empty() => fact.predicate.clone(),
        Some(fact) => format!("{}({})", fact.predicate, listed(&fact.arguments, ", ")),
    }
}

/// The width of each column in characters.
fn widths(header: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |column: usize| {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(column))
            .chain(header.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..header.len()).map(width).collect()
}

/// One line of a table; the last column is not padded.
fn line(out: &mut String, cells: &[String], widths: &[usize]) {
    let mut text = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        let padding = width.saturating_sub(cell.chars().count()) + 2;
        text.push_str(cell);
        text.extend(std::iter::repeat_n(' ', padding));
    }
    out.push_str(text.trim_end());
    out.push('\n');
}
