//! Counterexamples for people: a table of steps, arrays sparse.

use std::fmt::Write;

use foretell_driver::counterexample::{Binding, Counterexample, Fact, Shown, State, Step};

/// Tables wider than this are written as blocks.
const WIDTH: usize = 100;

/// The counterexample as text.
pub(crate) fn table(counterexample: &Counterexample) -> String {
    match counterexample {
        Counterexample::Trace { rigid, states } => trace(rigid, states),
        Counterexample::Derivation { functions, steps } => derivation(functions, steps),
    }
}

fn trace(rigid: &[Binding], states: &[State]) -> String {
    let mut out = constants(rigid);
    let mut header = vec!["step".to_owned()];
    if let Some(first) = states.first() {
        header.extend(
            first
                .values
                .iter()
                .chain(&first.inputs)
                .map(|b| b.name.clone()),
        );
    }
    let rows: Vec<Vec<String>> = states
        .iter()
        .enumerate()
        .map(|(n, state)| row(n, state))
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

fn row(n: usize, state: &State) -> Vec<String> {
    let values = state
        .values
        .iter()
        .chain(&state.inputs)
        .map(|b| value(&b.value));
    std::iter::once(n.to_string()).chain(values).collect()
}

/// One block per state, with what changed since the last one.
fn blocks(out: &mut String, states: &[State]) {
    let mut before: &[Binding] = &[];
    for (n, state) in states.iter().enumerate() {
        let _ = writeln!(out, "step {n}");
        for binding in state.values.iter().filter(|b| !before.contains(b)) {
            let _ = writeln!(out, "  {} = {}", binding.name, value(&binding.value));
        }
        for binding in &state.inputs {
            let _ = writeln!(out, "  input {} = {}", binding.name, value(&binding.value));
        }
        before = &state.values;
    }
}

fn derivation(functions: &[Binding], steps: &[Step]) -> String {
    let mut out = constants(functions);
    let header = ["step", "fact", "from", "line"].map(str::to_owned);
    let rows: Vec<Vec<String>> = steps
        .iter()
        .enumerate()
        .map(|(n, step)| {
            let from: Vec<String> = step.premises.iter().map(usize::to_string).collect();
            let line = if step.line == 0 {
                String::new()
            } else {
                step.line.to_string()
            };
            vec![
                n.to_string(),
                fact(step.fact.as_ref()),
                from.join(" "),
                line,
            ]
        })
        .collect();
    let widths = widths(&header, &rows);
    for cells in std::iter::once(&header.to_vec()).chain(&rows) {
        line(&mut out, cells, &widths);
    }
    out
}

fn constants(bindings: &[Binding]) -> String {
    let mut out = String::new();
    for binding in bindings {
        let _ = writeln!(out, "{} = {}", binding.name, value(&binding.value));
    }
    out
}

fn fact(fact: Option<&Fact>) -> String {
    match fact {
        None => "false".to_owned(),
        Some(fact) if fact.arguments.is_empty() => fact.predicate.clone(),
        Some(fact) => {
            let arguments: Vec<String> = fact.arguments.iter().map(value).collect();
            format!("{}({})", fact.predicate, arguments.join(", "))
        }
    }
}

/// A value as people write it: `-3`, `[0: 1, 7: 2, else 0]`.
fn value(shown: &Shown) -> String {
    match shown {
        Shown::Plain(text) => {
            let digits = text
                .strip_prefix("(- ")
                .and_then(|rest| rest.strip_suffix(')'));
            match digits {
                Some(digits) if !digits.contains(['(', ' ']) => format!("-{digits}"),
                _ => text.clone(),
            }
        }
        Shown::Cells { cells, rest } => {
            let mut parts: Vec<String> = cells
                .iter()
                .map(|(at, cell)| {
                    let at: Vec<String> = at.iter().map(value).collect();
                    format!("{}: {}", at.join(","), value(cell))
                })
                .collect();
            if let Some(rest) = rest {
                parts.push(format!("else {}", value(rest)));
            }
            format!("[{}]", parts.join(", "))
        }
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
